/**
 * Batches: from stored row groups to what a rank reads.
 *
 * <p>A {@link io.lockstep.batch.Gather} copies the rows of a step, for all lanes of a group, from
 * row groups into a {@link io.lockstep.batch.StepBatch}; a {@link io.lockstep.batch.BatchMessage}
 * writes the batch as an Arrow message. Both work on memory addresses: arguments are validated once
 * at the public methods, and nothing is looked up per row.
 *
 * <p>Internally, a {@link io.lockstep.batch.BatchShape} lists a schema's vectors as {@link
 * io.lockstep.batch.Node nodes}, a {@link io.lockstep.batch.BodyLayout} assigns offsets to their
 * buffers, and a {@link io.lockstep.batch.Selection} lists the values to copy.
 */
package io.lockstep.batch;
