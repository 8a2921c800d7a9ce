package io.lockstep.source.feedback;

import io.lockstep.source.split.LaneSplit;
import java.io.Serializable;

/**
 * The steps [from, upTo) of an epoch that a trainer will ask a lane for next.
 *
 * <p>Wants are absolute and idempotent: each replaces the lane's former one. A step in the range
 * that was made and not yet closed is not made again; any other is made, or made anew. So whoever
 * has taken a step moves the want past it before closing the step.
 */
public record Want(LaneSplit split, long generation, long epoch, long from, long upTo)
        implements Serializable {

    /** Whether a step of that position is within this want. */
    public boolean covers(long ofGeneration, long ofEpoch, long step) {
        return generation == ofGeneration && epoch == ofEpoch && from <= step && step < upTo;
    }
}
