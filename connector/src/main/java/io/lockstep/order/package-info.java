/**
 * The sample order, version 1: which sample stands at which place of a training run.
 *
 * <p>One pure function of the row groups' row counts and the {@link
 * io.lockstep.order.OrderSettings} gives the sample at (epoch, step, lane, place), and its inverse
 * gives the place of a sample. Both are random access: nothing that precedes a step is produced to
 * find it. The package does no I/O and uses only the JDK, so that nothing else can influence the
 * order.
 *
 * <p>Start at {@link io.lockstep.order.Order}.
 */
package io.lockstep.order;
