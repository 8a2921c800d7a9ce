/**
 * The row groups that are kept on the local disk.
 *
 * <p>It knows Arrow, and neither Parquet nor Flink. Start at {@link
 * io.lockstep.cache.RowGroupStore}.
 */
package io.lockstep.cache;
