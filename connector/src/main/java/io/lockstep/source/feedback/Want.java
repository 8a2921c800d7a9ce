package io.lockstep.source.feedback;

import io.lockstep.source.split.LaneSplit;
import java.io.Serializable;

/**
 * The steps at the positions [from, upTo) that a trainer will ask a lane for next. Positions count
 * on from epoch to epoch, so that the first steps of the next epoch are made while the trainer is
 * busy with the last ones of this.
 *
 * <p>Wants are absolute and idempotent: each replaces the lane's former one. A step in the range
 * that was made and not yet closed is not made again; any other is made, or made anew. So whoever
 * has taken a step moves the want past it before closing the step.
 */
public record Want(LaneSplit split, long generation, long from, long upTo) implements Serializable {

    /** Whether the step at that position is within this want. */
    public boolean covers(long ofGeneration, long position) {
        return generation == ofGeneration && from <= position && position < upTo;
    }
}
