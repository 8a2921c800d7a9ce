package io.lockstep.handoff.verbs;

import java.util.List;
import java.util.Objects;

/**
 * The content of a slot of a connection, which belongs to one stream and generation. Two are equal
 * if they have the same lanes of the same step, with or without digests.
 *
 * @param digestBytes of the lanes' digests, which follow the batch; 0 if the run makes none
 */
record SlotPosition(List<Integer> lanes, long epoch, long step, int digestBytes) {

    /** A key to look a slot up. */
    SlotPosition(List<Integer> lanes, long epoch, long step) {
        this(lanes, epoch, step, 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SlotPosition that
                && lanes.equals(that.lanes)
                && epoch == that.epoch
                && step == that.step;
    }

    @Override
    public int hashCode() {
        return Objects.hash(lanes, epoch, step);
    }
}
