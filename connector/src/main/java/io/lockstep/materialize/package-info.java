/**
 * The one way from a row group to a batch: (dataset, columns, transforms) to the content's key, to
 * pinned row groups, to the gathered rows of a step.
 *
 * <p>{@link io.lockstep.materialize.Content} says what the rows of a dataset become. A {@link
 * io.lockstep.materialize.RowGroupSource} makes row groups of it ready. {@link
 * io.lockstep.materialize.LaneWindows} follows one lane through its windows and selects the rows of
 * a step; a {@link io.lockstep.materialize.StepSelection} takes those of one lane or of several and
 * gathers them at once. Nothing here knows Flink.
 */
package io.lockstep.materialize;
