/**
 * The only path from a row group to a batch: from (dataset, columns, transforms) to the content
 * key, to pinned row groups, to the gathered rows of a step.
 *
 * <p>{@link io.lockstep.materialize.Content} defines what the rows of a dataset become. A {@link
 * io.lockstep.materialize.RowGroupSource} makes its row groups ready. {@link
 * io.lockstep.materialize.LaneWindows} follows one lane through its windows and selects the rows of
 * a step; a {@link io.lockstep.materialize.StepSelection} collects the rows of one or several lanes
 * and gathers them together. This package does not depend on Flink.
 */
package io.lockstep.materialize;
