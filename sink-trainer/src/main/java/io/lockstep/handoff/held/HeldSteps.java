package io.lockstep.handoff.held;

import io.lockstep.handoff.protocol.ErrorCode;
import io.lockstep.handoff.protocol.HandoffException;
import io.lockstep.handoff.protocol.NotYetException;
import io.lockstep.handoff.protocol.Reply;
import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.source.LaneStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps the steps of this task's lanes until their trainer takes them, by absolute position.
 *
 * <p>A step that nobody wants is closed at once; one that is wanted again after it was closed is
 * asked for again. Thread-safe. Steps are closed and calls completed without any lock held, and
 * upstream is told under a lock of its own, in the order in which the wants changed: so neither can
 * deadlock with the source reader's locks.
 */
public final class HeldSteps implements AutoCloseable {

    private final Consumer<List<Want>> upstream;
    private final Object wantOrder = new Object();
    private final Map<LaneSplit, HeldLane> lanes = new TreeMap<>();
    private long generation;
    private boolean closed;

    /**
     * @param upstream has the wanted steps made; must not call back on the same thread
     */
    public HeldSteps(Consumer<List<Want>> upstream) {
        this.upstream = upstream;
    }

    /** From Flink's thread: stores the step and returns, or closes it. */
    public void offer(LaneStep step) {
        DeferredActions after = new DeferredActions();
        synchronized (lanes) {
            HeldLane lane = closed ? null : lanes.get(step.split());
            if (lane == null) {
                after.close(List.of(step));
            } else {
                after.close(lane.offer(step));
                completeIfReady(lane.waiting(), after);
            }
        }
        after.run();
    }

    /**
     * The lanes of this task now. When this returns nothing more is wanted upstream of those that
     * have gone.
     *
     * @return the ranks that had lanes of a stream here and have none any more
     */
    public Set<StreamConsumer> assigned(Collection<LaneSplit> now) {
        DeferredActions after = new DeferredActions();
        Set<StreamConsumer> left = new HashSet<>();
        synchronized (wantOrder) {
            synchronized (lanes) {
                List<LaneSplit> gone = new ArrayList<>(lanes.keySet());
                gone.removeAll(now);
                for (LaneSplit split : gone) {
                    HeldLane lane = lanes.get(split);
                    left.addAll(owner(lane));
                    after.close(lane.forget());
                    end(lane.waiting(), notHere(List.of(split)), after);
                    lanes.remove(split);
                }
                lanes.values().forEach(lane -> left.removeAll(owner(lane)));
                if (!closed) {
                    now.forEach(split -> lanes.computeIfAbsent(split, HeldLane::new));
                }
            }
        }
        after.run();
        return left;
    }

    /** The rank that a lane is handed to, if that is settled. */
    private static Set<StreamConsumer> owner(HeldLane lane) {
        Want want = lane.want();
        return want == null
                ? Set.of()
                : Set.of(
                        new StreamConsumer(
                                want.generation(),
                                lane.owner(want.generation()),
                                lane.split().stream()));
    }

    /** Forgets what earlier generations wanted. */
    public void generation(long now) {
        DeferredActions after = new DeferredActions();
        synchronized (lanes) {
            generation = now;
            for (HeldLane lane : lanes.values()) {
                if (lane.want() != null && lane.want().generation() < now) {
                    long old = lane.want().generation();
                    after.close(lane.forget());
                    end(lane.waiting(), RunState.fenced(old, now), after);
                }
            }
        }
        after.run();
    }

    /** Has steps made ahead of use. */
    public void want(StepRequest request) {
        change(request, null);
    }

    /**
     * Takes a step of all lanes of the request, as soon as they are there. A call that waits for
     * any of these lanes already ends as not yet answered.
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
                List<HeldLane> chosen = choose(request);
                for (HeldLane lane : chosen) {
                    after.close(lane.want(request.want(lane.split()), request));
                    if (take != null) {
                        end(
                                lane.waiting(),
                                new NotYetException("superseded by a later get"),
                                after);
                    }
                }
                if (take != null) {
                    chosen.forEach(lane -> lane.waiting(take));
                    completeIfReady(take, after);
                }
            }
            upstream.accept(request.lanes().stream().map(request::want).toList());
        }
        after.run();
    }

    private List<HeldLane> choose(StepRequest request) {
        if (request.generation() < generation) {
            throw RunState.fenced(request.generation(), generation);
        }
        List<LaneSplit> missing = new ArrayList<>(request.lanes());
        if (!closed) {
            missing.removeAll(lanes.keySet());
        }
        if (!missing.isEmpty()) {
            throw notHere(missing);
        }
        List<HeldLane> chosen = request.lanes().stream().map(lanes::get).toList();
        for (HeldLane lane : chosen) {
            int owner = lane.owner(request.generation());
            if (owner >= 0 && owner != request.rank()) {
                throw new HandoffException(
                        ErrorCode.REFUSED,
                        String.format(
                                "rank %d asks for lane %d of the stream '%s', which goes to rank %d in"
                                        + " generation %d: give each process its own RANK",
                                request.rank(),
                                lane.split().lane(),
                                lane.split().stream(),
                                owner,
                                request.generation()));
            }
        }
        return chosen;
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

    /** Ends a wait that has lasted long enough. */
    public void expire(PendingTake take) {
        DeferredActions after = new DeferredActions();
        synchronized (lanes) {
            HeldLane first = lanes.get(take.lanes().get(0));
            if (first != null && first.waiting() == take) {
                StepRequest request = take.request();
                List<LaneSplit> missing =
                        take.lanes().stream().filter(lane -> !ready(lane, request)).toList();
                end(
                        take,
                        new NotYetException(
                                "waiting for "
                                        + StepRequest.words(
                                                missing, request.epoch(), request.step())
                                        + " to be made"),
                        after);
            }
        }
        after.run();
    }

    private boolean ready(LaneSplit split, StepRequest request) {
        HeldLane lane = lanes.get(split);
        return lane != null && lane.holds(request.generation(), request.position());
    }

    private void completeIfReady(PendingTake take, DeferredActions after) {
        if (take == null || !take.lanes().stream().allMatch(lane -> ready(lane, take.request()))) {
            return;
        }
        List<LaneStep> steps = new ArrayList<>();
        for (LaneSplit split : take.lanes()) {
            HeldLane lane = lanes.get(split);
            lane.waiting(null);
            steps.add(lane.remove(take.request().position()));
        }
        after.then(() -> take.result().complete(steps));
    }

    /** Ends a call that still waits. Each is ended or completed once: the lanes know which wait. */
    private void end(PendingTake take, RuntimeException why, DeferredActions after) {
        if (take == null) {
            return;
        }
        for (LaneSplit split : take.lanes()) {
            HeldLane lane = lanes.get(split);
            if (lane != null && lane.waiting() == take) {
                lane.waiting(null);
            }
        }
        after.then(() -> take.result().completeExceptionally(why));
    }

    /**
     * A taken step was handed over: moves the wants past it, unless the trainer has turned
     * elsewhere. To be called before the step is closed, since a closed step that is still wanted
     * is made again.
     */
    public void served(StepRequest request) {
        synchronized (wantOrder) {
            List<Want> moved = new ArrayList<>();
            synchronized (lanes) {
                for (LaneSplit split : request.lanes()) {
                    HeldLane lane = lanes.get(split);
                    if (lane != null) {
                        lane.countServed();
                        moveOn(lane, request, moved);
                    }
                }
            }
            upstream.accept(moved);
        }
    }

    private static void moveOn(HeldLane lane, StepRequest request, List<Want> moved) {
        // Somebody may wait for the very step again, after a lost reply; it is made again then.
        if (lane.isNext(request.generation(), request.position())
                && (lane.waiting() == null
                        || lane.waiting().request().position() != request.position())) {
            Want next =
                    new Want(
                            lane.split(),
                            request.generation(),
                            request.position() + 1,
                            lane.want().upTo());
            lane.want(next, request);
            moved.add(next);
        }
    }

    /**
     * A taken step could not be handed over now: it is there for the next call, if still wanted.
     */
    void putBack(List<LaneStep> steps) {
        DeferredActions after = new DeferredActions();
        synchronized (lanes) {
            for (LaneStep step : steps) {
                HeldLane lane = lanes.get(step.split());
                after.close(lane == null ? List.of(step) : lane.put(step));
                if (lane != null) {
                    completeIfReady(lane.waiting(), after);
                }
            }
        }
        after.run();
    }

    /** A rank wants nothing more: of one stream, or of all where {@code stream} is null. */
    public void leave(long ofGeneration, int rank, String stream) {
        endWants(
                lane ->
                        lane.owner(ofGeneration) == rank
                                && (stream == null || lane.split().stream().equals(stream)),
                new NotYetException("the rank has left"));
    }

    private void endWants(Predicate<HeldLane> which, RuntimeException why) {
        DeferredActions after = new DeferredActions();
        synchronized (wantOrder) {
            List<Want> ended = new ArrayList<>();
            synchronized (lanes) {
                for (HeldLane lane : lanes.values()) {
                    if (lane.want() != null && which.test(lane)) {
                        ended.add(nothingAfter(lane.want()));
                        after.close(lane.forget());
                        end(lane.waiting(), why, after);
                    }
                }
            }
            upstream.accept(ended);
        }
        after.run();
    }

    private static Want nothingAfter(Want want) {
        return new Want(want.split(), want.generation(), want.from(), want.from());
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

    /** How many calls wait for a step. */
    public int waiting() {
        synchronized (lanes) {
            return (int)
                    lanes.values().stream()
                            .map(HeldLane::waiting)
                            .filter(Objects::nonNull)
                            .distinct()
                            .count();
        }
    }

    /** Closes all steps, ends all calls, wants nothing and takes no more. */
    @Override
    public void close() {
        synchronized (lanes) {
            closed = true;
        }
        endWants(lane -> true, new NotYetException("the server has stopped"));
        assigned(List.of());
    }
}
