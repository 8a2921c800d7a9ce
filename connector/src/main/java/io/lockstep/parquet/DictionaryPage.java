package io.lockstep.parquet;

/**
 * The page before the data pages of a chunk, decompressed. Valid until the next page is read.
 *
 * @param count number of entries
 * @param values the entries in the plain encoding
 */
record DictionaryPage(int count, Region values) {}
