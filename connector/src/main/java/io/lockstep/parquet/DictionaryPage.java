package io.lockstep.parquet;

/**
 * The decompressed page that precedes the data pages of a chunk. Valid until the next page is read.
 *
 * @param count the number of entries
 * @param values the entries in the plain encoding
 */
record DictionaryPage(int count, Region values) {}
