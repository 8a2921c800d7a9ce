package io.lockstep.manifest;

/**
 * One row group of a dataset.
 *
 * @param shard index of its file in the manifest
 * @param ordinal its number within the file
 * @param rows number of rows, maybe none
 * @param bytes bytes of all columns as they lie in the file
 */
public record RowGroup(int shard, int ordinal, long rows, long bytes) {}
