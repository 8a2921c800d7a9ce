package io.lockstep.handoff.held;

import io.lockstep.dataset.EpochTable;
import io.lockstep.handoff.protocol.Reply;
import io.lockstep.source.LaneStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The held steps of one lane, what is wanted of it, and the call that waits for a step. Not
 * thread-safe: the {@link HeldSteps} guards it, and closes what it gives away.
 */
final class HeldLane {

    private static final int NOBODY = -1;

    private final LaneSplit split;
    private final NavigableMap<Long, LaneStep> held = new TreeMap<>();
    private Want want;
    private int rank = NOBODY;
    private final LaneWaits calls = new LaneWaits();
    private EpochTable table;
    private PendingTake waiting;
    private long furthest = -1;
    private long emitted;
    private long served;
    private long remade;
    private long dropped;

    HeldLane(LaneSplit split) {
        this.split = split;
    }

    LaneSplit split() {
        return split;
    }

    /** The rank that this lane is handed to in a generation; -1 if that is still open. */
    int owner(long generation) {
        return want != null && want.generation() == generation ? rank : NOBODY;
    }

    /** Replaces the want; returns the steps that are wanted no longer. */
    List<LaneStep> want(Want next, StepRequest by) {
        want = next;
        rank = by.rank();
        table = by.table();
        return holdsUnwanted() ? dropUnwanted() : List.of();
    }

    /** Mostly not: a want that only goes on keeps all that lies ahead of it. */
    private boolean holdsUnwanted() {
        return !held.isEmpty()
                && !(wants(held.firstEntry().getValue()) && wants(held.lastEntry().getValue()));
    }

    /** Whether a step is the first that is wanted. */
    boolean isNext(long generation, long position) {
        return want != null && want.covers(generation, position) && want.from() == position;
    }

    Want want() {
        return want;
    }

    /** Forgets who wanted what; returns all steps. */
    List<LaneStep> forget() {
        want = null;
        rank = NOBODY;
        calls.settle();
        return dropUnwanted();
    }

    private List<LaneStep> dropUnwanted() {
        List<LaneStep> unwanted = new ArrayList<>();
        for (LaneStep step : held.values()) {
            if (!wants(step)) {
                unwanted.add(step);
            }
        }
        unwanted.forEach(step -> held.remove(step.position()));
        dropped += unwanted.size();
        return unwanted;
    }

    private boolean wants(LaneStep step) {
        return want != null && want.covers(step.generation(), step.position());
    }

    /**
     * Takes a step that came from the source; returns what is to be closed: it or the one it
     * replaces.
     */
    List<LaneStep> offer(LaneStep step) {
        emitted++;
        if (step.position() <= furthest) {
            remade++;
        } else {
            furthest = step.position();
        }
        return put(step);
    }

    /** Puts a step in its place; returns what is to be closed: it or the one it replaces. */
    List<LaneStep> put(LaneStep step) {
        LaneStep surplus = wants(step) ? held.put(step.position(), step) : step;
        if (surplus == null) {
            return List.of();
        }
        dropped++;
        return List.of(surplus);
    }

    boolean holds(long generation, long position) {
        LaneStep candidate = held.get(position);
        return candidate != null && candidate.generation() == generation;
    }

    LaneStep remove(long position) {
        return held.remove(position);
    }

    void countServed() {
        served++;
        calls.settle();
    }

    PendingTake waiting() {
        return waiting;
    }

    void waiting(PendingTake take) {
        waiting = take;
        if (take != null) {
            calls.begin(take.request().position());
        } else {
            calls.end();
        }
    }

    Reply.LaneStats stats() {
        return new Reply.LaneStats(emitted, served, remade, dropped, held.size(), position());
    }

    /** Null where nobody wants the lane. */
    private Reply.LanePosition position() {
        if (want == null) {
            return null;
        }
        EpochTable.Epoch epoch = table.at(want.from());
        return new Reply.LanePosition(
                want.generation(),
                rank,
                epoch.epoch(),
                epoch.step(want.from()),
                holds(want.generation(), want.from()),
                calls.waitingMillis(want.from()),
                calls.idleMillis());
    }
}
