/**
 * The row groups that are kept on the local disk.
 *
 * <p>It depends on Arrow, but neither on Parquet nor on Flink. Start at {@link
 * io.lockstep.cache.RowGroupStore}.
 */
package io.lockstep.cache;
