package io.lockstep.handoff.held;

import io.lockstep.handoff.protocol.Reply;
import io.lockstep.handoff.state.StreamConsumer;
import javax.annotation.Nullable;

/**
 * A lane of this task: which rank has it, and how many of its steps came and went. Not thread-safe:
 * {@link HeldSteps} guards it.
 */
final class HeldLane {

    /** Null where no rank wants the lane. */
    @Nullable private StreamConsumer owner;

    /** Null where no rank wants the lane. */
    @Nullable private HeldGroup group;

    private long furthest = -1;
    private long emitted;
    private long served;
    private long remade;
    private long dropped;

    @Nullable
    StreamConsumer owner() {
        return owner;
    }

    /** The group that has the lane now. */
    @Nullable
    HeldGroup group() {
        return group;
    }

    void join(HeldGroup now) {
        group = now;
        owner = now.consumer();
    }

    /** Its group has ended; the rank may come back with other lanes. */
    void leaveGroup() {
        group = null;
    }

    /** No rank wants the lane any more. */
    void forget() {
        group = null;
        owner = null;
    }

    void countEmitted(long position) {
        emitted++;
        if (position <= furthest) {
            remade++;
        } else {
            furthest = position;
        }
    }

    void countServed() {
        served++;
    }

    void countDropped() {
        dropped++;
    }

    Reply.LaneStats stats() {
        return new Reply.LaneStats(
                emitted,
                served,
                remade,
                dropped,
                group == null ? 0 : group.heldSteps(),
                group == null ? null : group.position());
    }
}
