package io.lockstep.handoff.held;

import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps the steps of this task's lanes, by absolute position, until their trainer takes them.
 *
 * <p>The lanes that one request names are a group, whose steps come as one. A request for another
 * set of lanes replaces every group that shares a lane with it. A step that is no longer requested
 * is closed at once, and requested again from the source if a trainer needs it later.
 *
 * <p>Thread-safe. Steps are closed and calls completed without holding a lock. Upstream is called
 * under a separate lock, in the order in which the wants changed. So neither can deadlock with the
 * source reader's locks.
 */
public final class HeldSteps implements AutoCloseable {

    private final Consumer<List<Want>> upstream;
    private final Object wantOrder = new Object();
    private final Map<LaneSplit, HeldLane> lanes = new TreeMap<>();
    private final Map<LaneGroup, HeldGroup> groups = new HashMap<>();
    private long generation;
    private boolean closed;

    /**
     * @param upstream produces the requested steps; must not call back on the same thread
     */
    public HeldSteps(Consumer<List<Want>> upstream) {
        this.upstream = upstream;
    }

    /** Called by Flink's thread: stores the step, or closes it. Never blocks. */
    public void offer(GroupStep step) {
        DeferredActions after = new DeferredActions();
        synchronized (lanes) {
            HeldGroup group = closed ? null : groups.get(step.group());
            if (group == null) {
                countStray(step);
                after.close(List.of(step));
            } else {
                after.close(group.offer(step));
                completeIfReady(group, after);
            }
        }
        after.run();
    }

    /** Counts a step of a group that has ended. */
    private void countStray(GroupStep step) {
        for (LaneSplit split : step.group().splits()) {
            HeldLane lane = lanes.get(split);
            if (lane != null) {
                lane.countEmitted(step.position());
                lane.countDropped();
            }
        }
    }

    /**
     * Sets the lanes of this task. When this returns, upstream has no want for a group with a lane
     * that has left.
     *
     * @return the consumers that had lanes here and have none any longer
     */
    public Set<StreamConsumer> assigned(Collection<LaneSplit> now) {
        DeferredActions after = new DeferredActions();
        Set<StreamConsumer> left = new HashSet<>();
        synchronized (wantOrder) {
            synchronized (lanes) {
                List<LaneSplit> gone = new ArrayList<>(lanes.keySet());
                gone.removeAll(now);
                for (LaneSplit split : gone) {
                    HeldLane lane = lanes.remove(split);
                    if (lane.group() != null) {
                        end(lane.group(), notHere(List.of(split)), after);
                    }
                    if (lane.owner() != null) {
                        left.add(lane.owner());
                    }
                }
                lanes.values().forEach(lane -> left.remove(lane.owner()));
                if (!closed) {
                    now.forEach(split -> lanes.computeIfAbsent(split, added -> new HeldLane()));
                }
            }
        }
        after.run();
        return left;
    }

    /** Removes the wants of earlier generations. */
    public void generation(long now) {
        DeferredActions after = new DeferredActions();
        synchronized (lanes) {
            generation = now;
            for (HeldGroup group : List.copyOf(groups.values())) {
                long old = group.group().generation();
                if (old < now) {
                    end(group, RunState.fenced(old, now), after);
                }
            }
            forgetOwners(owner -> owner.generation() < now);
        }
        after.run();
    }

    private void forgetOwners(Predicate<StreamConsumer> which) {
        for (HeldLane lane : lanes.values()) {
            if (lane.owner() != null && which.test(lane.owner())) {
                lane.forget();
            }
        }
    }

    /** Requests steps ahead of use. */
    public void want(StepRequest request) {
        change(request, null);
    }

    /**
     * Takes a step as soon as it is ready. An earlier call that waits for any of these lanes ends
     * as pending.
     */
    public PendingTake take(StepRequest request) {
        PendingTake take = new PendingTake(request);
        change(request, take);
        return take;
    }

    private void change(StepRequest request, PendingTake take) {
        DeferredActions after = new DeferredActions();
        synchronized (wantOrder) {
            synchronized (lanes) {
                HeldGroup group = choose(request, after);
                after.close(group.want(request.want()));
                if (take != null) {
                    endWaiting(group, new NotYetException("superseded by a later get"), after);
                    group.waiting(take);
                    completeIfReady(group, after);
                }
            }
            upstream.accept(List.of(request.want()));
        }
        after.run();
    }

    /**
     * Returns the group that the request names, in place of all others that share a lane with it.
     */
    private HeldGroup choose(StepRequest request, DeferredActions after) {
        LaneGroup wanted = request.group();
        if (wanted.generation() < generation) {
            throw RunState.fenced(wanted.generation(), generation);
        }
        HeldGroup present = closed ? null : groups.get(wanted);
        if (present != null) {
            return present;
        }
        List<LaneSplit> missing = new ArrayList<>(wanted.splits());
        if (!closed) {
            missing.removeAll(lanes.keySet());
        }
        if (!missing.isEmpty()) {
            throw notHere(missing);
        }
        List<HeldLane> chosen = wanted.splits().stream().map(lanes::get).toList();
        for (int i = 0; i < chosen.size(); i++) {
            checkOwner(chosen.get(i).owner(), wanted, wanted.lanes().get(i));
        }
        for (HeldLane lane : chosen) {
            if (lane.group() != null) {
                end(
                        lane.group(),
                        new NotYetException("superseded by a request for other lanes"),
                        after);
            }
        }
        HeldGroup group = new HeldGroup(request, chosen);
        chosen.forEach(lane -> lane.join(group));
        groups.put(wanted, group);
        return group;
    }

    private static void checkOwner(StreamConsumer owner, LaneGroup wanted, int lane) {
        if (owner != null
                && owner.generation() == wanted.generation()
                && owner.rank() != wanted.rank()) {
            throw new HandoffException(
                    ErrorCode.REFUSED,
                    String.format(
                            "rank %d asks for lane %d of the stream '%s', which goes to rank %d in"
                                    + " generation %d: give each process its own RANK",
                            wanted.rank(),
                            lane,
                            wanted.stream(),
                            owner.rank(),
                            wanted.generation()));
        }
    }

    private static HandoffException notHere(List<LaneSplit> missing) {
        return new HandoffException(
                ErrorCode.NOT_HERE,
                String.format(
                        "%s of the stream '%s' %s not served here, or not any longer: read the routing"
                                + " again",
                        missing.stream().map(LaneSplit::lane).toList().toString(),
                        missing.get(0).stream(),
                        missing.size() == 1 ? "is" : "are"));
    }

    /** Ends a wait whose time is up. */
    public void expire(PendingTake take) {
        DeferredActions after = new DeferredActions();
        synchronized (lanes) {
            HeldGroup group = groups.get(take.request().group());
            if (group != null && group.waiting() == take) {
                endWaiting(
                        group,
                        new NotYetException("waiting for " + take.request() + " to be made"),
                        after);
            }
        }
        after.run();
    }

    private static void completeIfReady(HeldGroup group, DeferredActions after) {
        PendingTake take = group.waiting();
        GroupStep step = take == null ? null : group.take(take.request().position());
        if (step != null) {
            group.waiting(null);
            after.add(() -> take.result().complete(step));
        }
    }

    /** Ends a group; its lanes keep their owner. */
    private void end(HeldGroup group, RuntimeException why, DeferredActions after) {
        groups.remove(group.group());
        group.lanes().forEach(HeldLane::leaveGroup);
        after.close(group.end());
        endWaiting(group, why, after);
    }

    /** Ends the call that waits for a group, if there is one. */
    private static void endWaiting(HeldGroup group, RuntimeException why, DeferredActions after) {
        PendingTake take = group.waiting();
        if (take != null) {
            group.waiting(null);
            after.add(() -> take.result().completeExceptionally(why));
        }
    }

    /**
     * A taken step was handed over: moves the want past it, unless the trainer has moved to another
     * position. Call this before closing the step, since a closed step that is still requested is
     * made again.
     */
    public void served(StepRequest request) {
        synchronized (wantOrder) {
            List<Want> moved = new ArrayList<>();
            synchronized (lanes) {
                HeldGroup group = groups.get(request.group());
                if (group != null) {
                    group.countServed();
                    advance(group, request.position(), moved);
                }
            }
            upstream.accept(moved);
        }
    }

    private static void advance(HeldGroup group, long position, List<Want> moved) {
        Want want = group.want();
        PendingTake waiting = group.waiting();
        // A call may wait for the same step again after a lost reply; the step is then made again.
        boolean again = waiting != null && waiting.request().position() == position;
        if (want.covers(position) && want.from() == position && !again) {
            Want next = new Want(group.group(), position + 1, want.upTo());
            group.want(next);
            moved.add(next);
        }
    }

    /**
     * A taken step could not be handed over: keeps it for the next call if it is still requested.
     * Repeats the want, since the source may need the step's memory for another one.
     */
    public void restore(GroupStep step) {
        DeferredActions after = new DeferredActions();
        step.unclaim();
        synchronized (wantOrder) {
            List<Want> repeated = new ArrayList<>();
            synchronized (lanes) {
                HeldGroup group = groups.get(step.group());
                if (group == null) {
                    after.close(List.of(step));
                } else {
                    after.close(group.put(step));
                    completeIfReady(group, after);
                    repeated.add(group.want());
                }
            }
            upstream.accept(repeated);
        }
        after.run();
    }

    /** A rank needs no further steps: of one stream, or of all if {@code stream} is null. */
    public void leave(long ofGeneration, int rank, String stream) {
        endWants(
                owner ->
                        owner.generation() == ofGeneration
                                && owner.rank() == rank
                                && (stream == null || owner.stream().equals(stream)),
                new NotYetException("the rank has left"));
    }

    private void endWants(Predicate<StreamConsumer> which, RuntimeException why) {
        DeferredActions after = new DeferredActions();
        synchronized (wantOrder) {
            List<Want> ended = new ArrayList<>();
            synchronized (lanes) {
                for (HeldGroup group : List.copyOf(groups.values())) {
                    if (which.test(group.consumer())) {
                        ended.add(Want.none(group.group()));
                        end(group, why, after);
                    }
                }
                forgetOwners(which);
            }
            upstream.accept(ended);
        }
        after.run();
    }

    public Map<String, Map<Integer, Reply.LaneStats>> laneStats() {
        Map<String, Map<Integer, Reply.LaneStats>> stats = new TreeMap<>();
        synchronized (lanes) {
            lanes.forEach(
                    (split, lane) ->
                            stats.computeIfAbsent(split.stream(), stream -> new TreeMap<>())
                                    .put(split.lane(), lane.stats()));
        }
        return stats;
    }

    /** The number of calls that wait for a step. */
    public int waiting() {
        synchronized (lanes) {
            return (int) groups.values().stream().filter(group -> group.waiting() != null).count();
        }
    }

    /** Closes all steps, ends all calls, clears all wants and accepts no more steps. */
    @Override
    public void close() {
        synchronized (lanes) {
            closed = true;
        }
        endWants(owner -> true, new NotYetException("the server has stopped"));
        assigned(List.of());
    }
}
