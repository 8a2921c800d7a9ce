package io.lockstep.footer;

import org.apache.parquet.format.CompressionCodec;

/**
 * What a footer says of one column of one row group.
 *
 * @param codec compresses the pages; null where they lie elsewhere
 * @param values values in the chunk, nulls and the empty places of lists among them
 * @param uncompressedBytes bytes of all pages before compression
 * @param compressedBytes bytes of all pages in the file
 * @param dataOffset where the first data page begins in the file
 * @param dictionaryOffset where the dictionary page begins, -1 where there is none
 * @param contentBytes bytes of all byte arrays' contents, -1 where the writer did not say
 * @param elsewhere the pages lie in another file, or are encrypted
 */
public record ColumnChunk(
        CompressionCodec codec,
        long values,
        long uncompressedBytes,
        long compressedBytes,
        long dataOffset,
        long dictionaryOffset,
        long contentBytes,
        boolean elsewhere) {

    /** Where the first page of either kind begins; some writers put 0 for no dictionary. */
    public long begin() {
        return hasDictionary() ? Math.min(dictionaryOffset, dataOffset) : dataOffset;
    }

    public long end() {
        return begin() + compressedBytes;
    }

    public boolean hasDictionary() {
        return dictionaryOffset > 0;
    }
}
