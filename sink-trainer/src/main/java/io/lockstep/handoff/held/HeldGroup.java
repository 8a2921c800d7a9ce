package io.lockstep.handoff.held;

import io.lockstep.dataset.EpochTable;
import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.protocol.Reply;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import javax.annotation.Nullable;

/**
 * The steps of one group that wait for their trainer, the group's current want, and the call that
 * waits for a step. Not thread-safe: {@link HeldSteps} guards it and closes the steps that it
 * returns.
 */
final class HeldGroup {

    private final LaneGroup group;
    private final List<HeldLane> lanes;
    private final EpochTable table;
    private final NavigableMap<Long, GroupStep> held = new TreeMap<>();
    private final Waits calls = new Waits();
    private Want want;
    @Nullable private PendingTake waiting;

    /**
     * @param lanes of the group, in its order
     */
    HeldGroup(StepRequest first, List<HeldLane> lanes) {
        this.group = first.group();
        this.lanes = lanes;
        this.table = first.table();
        this.want = first.want();
    }

    LaneGroup group() {
        return group;
    }

    List<HeldLane> lanes() {
        return lanes;
    }

    StreamConsumer consumer() {
        return new StreamConsumer(group.generation(), group.rank(), group.stream());
    }

    Want want() {
        return want;
    }

    /** Replaces the want; returns the steps that are no longer requested. */
    List<GroupStep> want(Want next) {
        want = next;
        List<GroupStep> unwanted = new ArrayList<>();
        while (!held.isEmpty() && !want.covers(held.firstKey())) {
            unwanted.add(held.pollFirstEntry().getValue());
        }
        while (!held.isEmpty() && !want.covers(held.lastKey())) {
            unwanted.add(held.pollLastEntry().getValue());
        }
        unwanted.forEach(step -> lanes.forEach(HeldLane::countDropped));
        return unwanted;
    }

    /** Clears the want; returns all steps. */
    List<GroupStep> end() {
        return want(Want.none(group));
    }

    /**
     * Takes a step from the source; returns the steps to close: this one, or the one that it
     * replaces.
     */
    List<GroupStep> offer(GroupStep step) {
        lanes.forEach(lane -> lane.countEmitted(step.position()));
        return put(step);
    }

    /** Stores a step; returns the steps to close: this one, or the one that it replaces. */
    List<GroupStep> put(GroupStep step) {
        GroupStep surplus = want.covers(step.position()) ? held.put(step.position(), step) : step;
        if (surplus == null) {
            return List.of();
        }
        lanes.forEach(HeldLane::countDropped);
        return List.of(surplus);
    }

    private boolean holds(long position) {
        GroupStep step = held.get(position);
        return step != null && step.isWaiting();
    }

    /**
     * Removes a step and claims it; null if there is none, or if the source has reclaimed its
     * memory and makes it again.
     */
    @Nullable
    GroupStep take(long position) {
        GroupStep step = held.remove(position);
        if (step != null && !step.claim()) {
            lanes.forEach(HeldLane::countDropped);
            return null;
        }
        return step;
    }

    int heldSteps() {
        return (int) held.values().stream().filter(GroupStep::isWaiting).count();
    }

    void countServed() {
        lanes.forEach(HeldLane::countServed);
        calls.clearPosition();
    }

    @Nullable
    PendingTake waiting() {
        return waiting;
    }

    void waiting(@Nullable PendingTake take) {
        waiting = take;
        if (take != null) {
            calls.begin(take.request().position());
        } else {
            calls.end();
        }
    }

    Reply.LanePosition position() {
        EpochTable.Epoch epoch = table.at(want.from());
        return new Reply.LanePosition(
                group.generation(),
                group.rank(),
                epoch.epoch(),
                epoch.step(want.from()),
                holds(want.from()),
                calls.waitingMillis(want.from()),
                calls.idleMillis());
    }
}
