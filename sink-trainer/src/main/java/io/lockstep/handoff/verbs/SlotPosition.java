package io.lockstep.handoff.verbs;

import java.util.List;
import java.util.Objects;

/**
 * What is in a slot; the connection says of which stream and generation. Two are equal where they
 * are of the same lanes of the same step, whatever is known of the digests.
 *
 * @param digestBytes of the lanes' digests, which lie behind the batch; 0 where the run makes none
 */
record SlotPosition(List<Integer> lanes, long epoch, long step, int digestBytes) {

    /** One to look for. */
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
