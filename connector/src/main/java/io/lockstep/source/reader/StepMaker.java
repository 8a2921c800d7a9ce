package io.lockstep.source.reader;

import io.lockstep.Futures;
import io.lockstep.batch.LaneBatch;
import io.lockstep.digest.NativeHash;
import io.lockstep.digest.StepDigests;
import io.lockstep.materialize.LaneWindows;
import io.lockstep.materialize.Retries;
import io.lockstep.source.LaneStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Makes wanted steps ahead of use, within a budget of bytes.
 *
 * <p>A lane makes one step at a time, so that its steps come in order; lanes run beside each other,
 * the one whose next step will be needed soonest first. Nothing is made that is not wanted.
 * Thread-safe.
 */
final class StepMaker implements AutoCloseable {

    private final ReadyQueue queue;
    private final ByteBudget budget;
    private final Executor pool;
    private final StepMemory memory;
    private final boolean digests;
    private final Map<LaneSplit, LaneProgress> lanes = new TreeMap<>();
    private final Map<LaneSplit, Long> stepBytes = new TreeMap<>();
    private final Map<LaneSplit, Want> early = new TreeMap<>();

    /** Steps that were made and not handed on. */
    private final Set<LaneStep> inHand = new HashSet<>();

    private final Set<LaneProgress> leaving = new HashSet<>();
    private long forgotten = -1;
    private boolean closed;

    /** Whether a lane waits until others give bytes back. */
    private boolean shortOfRoom;

    /**
     * @param digests whether each step gets a digest, while its rows are still in the processor's
     *     cache
     */
    StepMaker(
            ReadyQueue queue,
            ByteBudget budget,
            Executor pool,
            StepMemory memory,
            boolean digests) {
        this.queue = queue;
        this.budget = budget;
        this.pool = pool;
        this.memory = memory;
        this.digests = digests;
        if (digests) {
            pool.execute(NativeHash::load);
        }
    }

    /**
     * Adds a lane.
     *
     * @param bytes what a step of it is expected to take
     */
    synchronized void add(LaneSplit split, LaneWindows windows, long bytes) {
        lanes.put(split, new LaneProgress(split, windows));
        stepBytes.put(split, bytes);
        Want waiting = early.remove(split);
        if (waiting != null) {
            want(List.of(waiting));
        }
    }

    /**
     * Gives a lane up with all that it holds; a step that is being made is closed when it is done.
     * To be called when the sink wants nothing of the lane any more. No step of it comes later.
     */
    synchronized void remove(LaneSplit split) {
        LaneProgress lane = lanes.remove(split);
        stepBytes.remove(split);
        lane.leave();
        if (lane.isMaking()) {
            leaving.add(lane);
        } else {
            lane.windows().close();
        }
    }

    synchronized void want(List<Want> wants) {
        boolean some = false;
        for (Want want : wants) {
            LaneProgress lane = lanes.get(want.split());
            if (want.generation() <= forgotten) {
                // It was on its way when its generation ended. The sink drops what it asks
                // for, which would be made again and again.
                continue;
            }
            if (lane == null) {
                early.put(want.split(), want);
            } else {
                lane.want(want);
                some |= lane.nextToMake() >= 0;
            }
        }
        // Mostly the wants only move past a step that was taken.
        if (some) {
            schedule();
        }
    }

    /** Nothing is made any more for that generation and those before it. */
    synchronized void forget(long generation) {
        forgotten = Math.max(forgotten, generation);
        early.values().removeIf(want -> want.generation() <= generation);
        lanes.values().forEach(lane -> lane.forget(generation));
    }

    private void schedule() {
        if (closed) {
            return;
        }
        List<LaneProgress> able = new ArrayList<>();
        for (LaneProgress lane : lanes.values()) {
            if (lane.nextToMake() >= 0) {
                able.add(lane);
            }
        }
        able.sort(Comparator.comparingLong(StepMaker::ahead));
        shortOfRoom = false;
        for (LaneProgress lane : able) {
            if (mayMake(lane)) {
                start(lane);
            }
        }
    }

    private boolean mayMake(LaneProgress lane) {
        if (lane.lacksFirst() || budget.hasRoomFor(stepBytes.get(lane.split()))) {
            return true;
        }
        shortOfRoom = true;
        return false;
    }

    private static long ahead(LaneProgress lane) {
        return lane.nextToMake() - lane.want().from();
    }

    private void start(LaneProgress lane) {
        long position = lane.nextToMake();
        Want want = lane.want();
        long bytes = stepBytes.get(lane.split());
        lane.begin(position, bytes);
        budget.take(bytes);
        memory.retain();
        Futures.onFailure(
                Retries.ofDamaged(
                        () ->
                                prepare(lane, position)
                                        .thenRunAsync(() -> make(lane, want, position), pool)),
                cause -> fail(lane, cause));
    }

    /**
     * Whatever it meets is in the future: a caller that wants other lanes' steps is not to blame.
     */
    private static CompletableFuture<Void> prepare(LaneProgress lane, long position) {
        try {
            return lane.windows().prepare(position);
        } catch (Throwable t) {
            return CompletableFuture.failedFuture(t);
        }
    }

    private void make(LaneProgress lane, Want want, long position) {
        LaneBatch batch = lane.windows().gather(position, memory.allocator());
        LaneStep made;
        try {
            lane.windows().prefetchAfter(position);
            made =
                    new LaneStep(
                            lane.split(),
                            want.generation(),
                            position,
                            lane.windows().epochAt(position),
                            batch,
                            digests ? StepDigests.lane(batch) : null,
                            this::released);
        } catch (Throwable t) {
            batch.close();
            throw t;
        }
        emit(lane, made, batch.bytes());
    }

    /** Whoever has a lane that has left meets what is wrong with its data. */
    private void fail(LaneProgress lane, Throwable cause) {
        synchronized (this) {
            if (lane.hasLeft()) {
                budget.giveBack(lane.end());
                closeIfLeft(lane);
                schedule();
            } else {
                queue.fail(cause);
            }
        }
        memory.release();
    }

    private void closeIfLeft(LaneProgress lane) {
        if (leaving.remove(lane)) {
            lane.windows().close();
        }
    }

    private void emit(LaneProgress lane, LaneStep step, long bytes) {
        boolean wanted;
        synchronized (this) {
            budget.giveBack(lane.end());
            budget.take(bytes);
            inHand.add(step);
            Want want = lane.want();
            wanted = !closed && want != null && want.covers(step.generation(), step.position());
            if (wanted) {
                lane.hold(step);
                stepBytes.put(lane.split(), bytes);
                // With the lock held, so that none comes after its lane was given up.
                queue.add(step);
            }
            closeIfLeft(lane);
        }
        if (!wanted) {
            step.close();
        }
        goOnAfter(lane);
    }

    private synchronized void goOnAfter(LaneProgress lane) {
        if (shortOfRoom || lane.nextToMake() >= 0) {
            schedule();
        }
    }

    private void released(LaneStep step) {
        synchronized (this) {
            inHand.remove(step);
            budget.giveBack(step.batch().bytes());
            LaneProgress lane = lanes.get(step.split());
            if (lane != null) {
                lane.release(step);
            }
            if (shortOfRoom || (lane != null && lane.nextToMake() >= 0)) {
                schedule();
            }
        }
        memory.release();
    }

    /** The sink has the step from now on, and closes it. */
    synchronized void handOn(LaneStep step) {
        inHand.remove(step);
    }

    /** Bytes of the steps that were made, or are being made, and not yet given away. */
    synchronized long usedBytes() {
        return budget.used();
    }

    /** No more steps from now on. */
    synchronized void stop() {
        closed = true;
    }

    /**
     * Unpins the windows and closes the steps that were not handed on. To be called when Flink
     * hands on none any more. A step that is still being made, by a read that hangs perhaps, is
     * closed with its window when it is done.
     */
    @Override
    public void close() {
        List<LaneStep> left;
        synchronized (this) {
            closed = true;
            List.copyOf(lanes.keySet()).forEach(this::remove);
            left = List.copyOf(inHand);
        }
        left.forEach(LaneStep::close);
        memory.release();
    }
}
