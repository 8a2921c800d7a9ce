package io.lockstep.footer;

import java.util.List;

/**
 * A row group as the footer describes it.
 *
 * @param rows number of rows
 * @param chunks one for each leaf column, in the order of the schema
 */
public record FileRowGroup(long rows, List<ColumnChunk> chunks) {

    public long compressedBytes() {
        return chunks.stream().mapToLong(ColumnChunk::compressedBytes).sum();
    }
}
