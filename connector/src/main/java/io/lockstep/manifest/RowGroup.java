package io.lockstep.manifest;

/**
 * One row group of a dataset.
 *
 * @param shard the index of its file in the manifest
 * @param ordinal its index within the file
 * @param rows the number of rows, possibly 0
 * @param bytes the size of all columns in the file
 */
public record RowGroup(int shard, int ordinal, long rows, long bytes) {}
