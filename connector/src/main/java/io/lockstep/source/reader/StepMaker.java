package io.lockstep.source.reader;

import io.lockstep.Futures;
import io.lockstep.batch.StepBatch;
import io.lockstep.cache.DamagedRowGroupException;
import io.lockstep.digest.NativeHash;
import io.lockstep.digest.StepDigests;
import io.lockstep.materialize.LaneWindows;
import io.lockstep.materialize.Materializer;
import io.lockstep.materialize.StepSelection;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes wanted steps ahead of use, within a budget of bytes.
 *
 * <p>A group has several steps in the making at a time: while the rows of one are gathered, the
 * windows of the next are opened. They come out in order. Groups run beside each other, the one
 * whose next step will be needed soonest first. Nothing is made that is not wanted. Thread-safe.
 */
final class StepMaker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StepMaker.class);

    /** A lane of this reader. */
    private record Lane(Materializer stream, LaneWindows windows) {}

    /** A group of this reader. */
    private record Group(LaneGroup lanes, GroupRows rows, GroupProgress progress) {}

    private final ReadyQueue queue;
    private final ByteBudget budget;
    private final Executor pool;
    private final int threads;
    private final StepMemory memory;
    private final boolean digests;
    private final Map<LaneSplit, Lane> lanes = new TreeMap<>();
    private final Map<LaneGroup, Group> groups = new HashMap<>();

    /** Wants of groups of which a lane is not here yet. */
    private final Map<LaneGroup, Want> early = new HashMap<>();

    /** Steps that were made and not handed on. */
    private final Set<GroupStep> inHand = new HashSet<>();

    private long forgotten = -1;
    private boolean closed;

    /**
     * @param threads of the pool: as many steps of a group are in the making at a time
     * @param memory released with this
     * @param digests whether steps get digests, while their rows are still in the processor's cache
     */
    StepMaker(
            ReadyQueue queue,
            ByteBudget budget,
            Executor pool,
            int threads,
            StepMemory memory,
            boolean digests) {
        this.queue = queue;
        this.budget = budget;
        this.pool = pool;
        this.threads = threads;
        this.memory = memory;
        this.digests = digests;
        if (digests) {
            pool.execute(NativeHash::load);
        }
    }

    /** Adds a lane. */
    void add(LaneSplit split, Materializer stream) {
        List<Want> complete;
        synchronized (this) {
            lanes.put(split, new Lane(stream, stream.lane(split.lane())));
            complete =
                    early.values().stream()
                            .filter(want -> lanes.keySet().containsAll(want.group().splits()))
                            .toList();
        }
        want(complete);
    }

    /**
     * Gives a lane up, and with it the groups that have it: their steps leave the queue, and those
     * in the making are closed when they are made. To be called when the sink wants nothing of the
     * lane any more. When this returns no step of these groups is emitted any more.
     */
    void remove(LaneSplit split) {
        List<GroupStep> unwanted = new ArrayList<>();
        synchronized (this) {
            endIf(group -> group.has(split), unwanted);
            lanes.remove(split).windows().close();
        }
        unwanted.forEach(GroupStep::close);
    }

    private void endIf(Predicate<LaneGroup> which, List<GroupStep> unwanted) {
        for (Group group : List.copyOf(groups.values())) {
            if (which.test(group.lanes())) {
                groups.remove(group.lanes());
                group.progress().end();
                group.progress().comeOut(unwanted);
                unwanted.addAll(queue.drop(group.lanes()));
            }
        }
    }

    void want(List<Want> wants) {
        List<GroupStep> unwanted = new ArrayList<>();
        synchronized (this) {
            for (Want want : wants) {
                // One of a generation that has ended was on its way then. The sink drops what it
                // asks for, which would be made again and again.
                if (want.group().generation() > forgotten) {
                    want(want, unwanted);
                }
            }
            schedule();
        }
        unwanted.forEach(GroupStep::close);
    }

    private void want(Want want, List<GroupStep> unwanted) {
        LaneGroup group = want.group();
        if (want.isNone()) {
            early.remove(group);
            endIf(group::equals, unwanted);
            return;
        }
        early.keySet().removeIf(group::overlaps);
        endIf(other -> other.overlaps(group) && !other.equals(group), unwanted);
        if (!lanes.keySet().containsAll(group.splits())) {
            early.put(group, want);
            return;
        }
        GroupProgress progress = groups.computeIfAbsent(group, this::begin).progress();
        progress.want(want);
        progress.comeOut(unwanted).forEach(queue::add);
    }

    private Group begin(LaneGroup group) {
        GroupRows rows =
                new GroupRows(
                        lanes.get(group.first()).stream(),
                        group.splits().stream().map(split -> lanes.get(split).windows()).toList());
        return new Group(
                group, rows, new GroupProgress(group, rows::areOpen, rows.stepBytes(), threads));
    }

    /** Nothing is made any more for that generation and those before it. */
    void forget(long generation) {
        List<GroupStep> unwanted = new ArrayList<>();
        synchronized (this) {
            forgotten = Math.max(forgotten, generation);
            early.keySet().removeIf(group -> group.generation() <= generation);
            endIf(group -> group.generation() <= generation, unwanted);
        }
        unwanted.forEach(GroupStep::close);
    }

    private void schedule() {
        if (closed) {
            return;
        }
        List<Group> able = new ArrayList<>();
        for (Group group : groups.values()) {
            if (group.progress().next() >= 0) {
                able.add(group);
            }
        }
        able.sort(Comparator.comparingLong(group -> group.progress().ahead()));
        for (Group group : able) {
            GroupProgress progress = group.progress();
            long position = progress.next();
            boolean hasRoom = progress.ahead() == 0 || budget.hasRoomFor(progress.stepBytes());
            if (position >= 0 && hasRoom) {
                start(group, position);
            }
        }
    }

    private void start(Group group, long position) {
        budget.take(group.progress().stepBytes());
        group.progress().begin(position);
        memory.retain();
        Futures.onFailure(
                group.rows().prepare(position).thenRunAsync(() -> make(group, position), pool),
                cause -> fail(group, position, cause));
    }

    private void make(Group group, long position) {
        GroupStep step;
        try (StepSelection selection = group.rows().select(position)) {
            goOn(group, position);
            step = gather(group, position, selection);
        }
        emit(group, step);
    }

    /** The rows are chosen, and their windows pinned: the next step may be prepared. */
    private synchronized void goOn(Group group, long position) {
        group.progress().selected(position);
        schedule();
    }

    private GroupStep gather(Group group, long position, StepSelection selection) {
        StepBatch batch = selection.gather(memory.allocator());
        try {
            return new GroupStep(
                    group.lanes(),
                    position,
                    group.rows().epochAt(position),
                    batch,
                    digests ? StepDigests.lanes(batch, group.rows().lanes()) : null,
                    this::released);
        } catch (Throwable t) {
            batch.close();
            throw t;
        }
    }

    private void emit(Group group, GroupStep step) {
        List<GroupStep> unwanted = new ArrayList<>();
        synchronized (this) {
            budget.giveBack(group.progress().made(step));
            budget.take(step.batch().bytes());
            inHand.add(step);
            // With the lock held, so that none comes after one of its lanes was given up.
            group.progress().comeOut(unwanted).forEach(queue::add);
            schedule();
        }
        unwanted.forEach(GroupStep::close);
    }

    /**
     * Makes the step again where a cache file was truncated meanwhile. Else it fails the reader,
     * unless the group has ended: another reader that has its lanes now meets what is wrong with
     * its data, or the failure came from windows that were closed under it.
     */
    private void fail(Group group, long position, Throwable cause) {
        List<GroupStep> unwanted = new ArrayList<>();
        synchronized (this) {
            budget.giveBack(group.progress().failed(position));
            group.progress().comeOut(unwanted).forEach(queue::add);
            if (group.progress().hasEnded()) {
                LOG.debug("A step of {} that is not wanted any more failed", group.lanes(), cause);
                schedule();
            } else if (cause instanceof DamagedRowGroupException
                    && group.progress().again(position)) {
                schedule();
            } else {
                queue.fail(cause);
            }
        }
        unwanted.forEach(GroupStep::close);
        memory.release();
    }

    private void released(GroupStep step) {
        synchronized (this) {
            inHand.remove(step);
            budget.giveBack(step.batch().bytes());
            Group group = groups.get(step.group());
            if (group != null) {
                group.progress().release(step);
            }
            schedule();
        }
        memory.release();
    }

    /** The sink has the step from now on, and closes it. */
    synchronized void handOn(GroupStep step) {
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
     * closed when it is made.
     */
    @Override
    public void close() {
        stop();
        List<LaneSplit> here;
        synchronized (this) {
            here = List.copyOf(lanes.keySet());
        }
        here.forEach(this::remove);
        List<GroupStep> left;
        synchronized (this) {
            left = List.copyOf(inHand);
        }
        left.forEach(GroupStep::close);
        memory.release();
    }
}
