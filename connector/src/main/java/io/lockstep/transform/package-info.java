/**
 * The contract of transforms, and the chain that applies those of a stream.
 *
 * <p>A {@link io.lockstep.transform.RowGroupTransform} is a deterministic function of one row. It
 * runs once for each row group, before the cache. Users name transforms in the run file as {@link
 * io.lockstep.transform.TransformSpec}s; {@code io.lockstep.transform.registry} creates the
 * transforms that they stand for. This package does not depend on Flink.
 */
package io.lockstep.transform;
