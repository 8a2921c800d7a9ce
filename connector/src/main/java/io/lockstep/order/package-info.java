/**
 * The sample order, version 1: which sample appears at which place of a training run.
 *
 * <p>One pure function of the row groups' row counts and the {@link
 * io.lockstep.order.OrderSettings} returns the sample at (epoch, step, lane, place); its inverse
 * returns the place of a sample. Both are random access: finding a step does not compute any step
 * before it. The package does no I/O and uses only the JDK, so that nothing else can influence the
 * order.
 *
 * <p>The entry point is {@link io.lockstep.order.Order}.
 */
package io.lockstep.order;
