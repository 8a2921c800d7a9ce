package io.lockstep.footer;

import java.util.List;

/**
 * A row group as the footer describes it.
 *
 * @param rows the number of rows
 * @param chunks one chunk per leaf column, in the order of the schema
 */
public record FileRowGroup(long rows, List<ColumnChunk> chunks) {

    public long compressedBytes() {
        return chunks.stream().mapToLong(ColumnChunk::compressedBytes).sum();
    }
}
