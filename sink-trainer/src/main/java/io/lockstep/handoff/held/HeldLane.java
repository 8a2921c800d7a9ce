package io.lockstep.handoff.held;

import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.protocol.Reply;
import javax.annotation.Nullable;

/**
 * A lane of this task: its consumer and its counters. Not thread-safe: {@link HeldSteps} guards it.
 */
final class HeldLane {

    /** Null if the lane has no active consumer. */
    @Nullable private StreamConsumer owner;

    /** Null if the lane has no active consumer. */
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

    /** The group that currently has the lane. */
    @Nullable
    HeldGroup group() {
        return group;
    }

    void join(HeldGroup now) {
        group = now;
        owner = now.consumer();
    }

    /** Its group has ended; the rank may come back with another set of lanes. */
    void leaveGroup() {
        group = null;
    }

    /** Removes the lane's consumer. */
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
