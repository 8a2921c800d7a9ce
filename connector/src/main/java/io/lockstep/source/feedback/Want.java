package io.lockstep.source.feedback;

import io.lockstep.source.split.LaneGroup;
import java.io.Serializable;

/**
 * The steps at the positions [from, upTo) that a trainer will ask for next. Positions count on from
 * epoch to epoch, so that the first steps of the next epoch are made while the trainer is busy with
 * the last ones of this.
 *
 * <p>Wants are absolute and idempotent: each replaces the group's former one, and every other group
 * that has one of its lanes. {@link #none} ends the group. A step in the range that was made and
 * not yet closed is not made again; any other is made, again where it was before. So a taken step
 * is closed after the want has moved past it.
 */
public record Want(LaneGroup group, long from, long upTo) implements Serializable {

    /** Whether the step at that position is within this want. */
    public boolean covers(long position) {
        return from <= position && position < upTo;
    }

    /** Ends the group. */
    public static Want none(LaneGroup group) {
        return new Want(group, 0, 0);
    }

    /** Whether it ends the group. One whose last step was taken goes on, with nothing wanted. */
    public boolean isNone() {
        return upTo == 0;
    }
}
