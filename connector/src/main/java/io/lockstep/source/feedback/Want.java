package io.lockstep.source.feedback;

import io.lockstep.source.split.LaneGroup;
import java.io.Serializable;

/**
 * The steps at positions [from, upTo), which a trainer will request next. Positions continue across
 * epochs, so the first steps of the next epoch are prefetched while the trainer works on the last
 * steps of the current one.
 *
 * <p>Wants are absolute and idempotent: each replaces the group's previous want, and any other
 * group that shares a lane. {@link #none} ends the group. Every step in the range is made, unless
 * it was made already and is not closed yet. So move the want past a step before closing the step;
 * otherwise the step is made again.
 */
public record Want(LaneGroup group, long from, long upTo) implements Serializable {

    /** Whether this want includes the step at a position. */
    public boolean covers(long position) {
        return from <= position && position < upTo;
    }

    /** Ends the group. */
    public static Want none(LaneGroup group) {
        return new Want(group, 0, 0);
    }

    /**
     * Whether it ends the group. A group whose last step was taken continues with an empty want.
     */
    public boolean isNone() {
        return upTo == 0;
    }
}
