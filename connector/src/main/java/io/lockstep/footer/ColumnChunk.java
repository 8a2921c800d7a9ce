package io.lockstep.footer;

import org.apache.parquet.format.CompressionCodec;

/**
 * Metadata of one column of one row group, from the footer.
 *
 * @param codec the compression codec of the pages; null if they are stored in another file
 * @param values the number of values in the chunk, including nulls and the entries of empty lists
 * @param uncompressedBytes the size of all pages before compression
 * @param compressedBytes the size of all pages in the file
 * @param dataOffset the offset of the first data page in the file
 * @param dictionaryOffset the offset of the dictionary page, -1 if there is no dictionary
 * @param contentBytes the size of the contents of all byte arrays, -1 if the writer did not record
 *     it
 * @param inOtherFile whether the pages are in another file or encrypted
 */
public record ColumnChunk(
        CompressionCodec codec,
        long values,
        long uncompressedBytes,
        long compressedBytes,
        long dataOffset,
        long dictionaryOffset,
        long contentBytes,
        boolean inOtherFile) {

    /**
     * Returns the offset of the first page of either kind. Some writers store 0 for no dictionary.
     */
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
