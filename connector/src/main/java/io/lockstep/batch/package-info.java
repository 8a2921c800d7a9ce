/**
 * Batches: from the stored row groups to what a rank reads.
 *
 * <p>A {@link io.lockstep.batch.Gather} copies the rows of one step, of all lanes of a group, out
 * of row groups into a {@link io.lockstep.batch.StepBatch}; a {@link
 * io.lockstep.batch.BatchMessage} writes it as an Arrow message. Both work on addresses: what is
 * given to them is checked at the border, and nothing is looked up for each row.
 *
 * <p>Inside, a {@link io.lockstep.batch.BatchShape} lists a schema's vectors as {@link
 * io.lockstep.batch.Node nodes}, a {@link io.lockstep.batch.BodyLayout} says where their buffers
 * lie, and a {@link io.lockstep.batch.Selection} which values are copied.
 */
package io.lockstep.batch;
