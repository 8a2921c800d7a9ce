package io.lockstep.source.reader;

import io.lockstep.Futures;
import io.lockstep.UserException;
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
 * Prefetches wanted steps within a budget of bytes.
 *
 * <p>Several steps of a group are made at a time: while the rows of one step are gathered, the
 * windows of the next are opened. Steps of a group are emitted in order. Groups run concurrently;
 * the group whose next step is needed soonest has priority. Only wanted steps are made.
 *
 * <p>A trainer may be waiting for the first wanted step of its group. If there is no memory for
 * that step, those that were made furthest ahead of use are reclaimed, and made again later. The
 * reader fails if the first wanted steps of its groups do not fit together. Thread-safe.
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

    /** Wants of groups with lanes that have not been added yet. */
    private final Map<LaneGroup, Want> early = new HashMap<>();

    /** Steps that are made but not yet emitted. */
    private final Set<GroupStep> unemitted = new HashSet<>();

    private long forgotten = -1;
    private boolean closed;

    /**
     * @param threads of the pool: also the maximum number of steps of a group that are made at a
     *     time
     * @param memory released when this is closed
     * @param digests whether steps get digests, which are computed while the rows are still in the
     *     CPU cache
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
     * Removes a lane and the groups that contain it: their steps are removed from the queue, and
     * steps in progress are closed once made. Call it after the sink has stopped wanting the lane.
     * After this returns, no step of these groups is emitted.
     */
    void remove(LaneSplit split) {
        List<GroupStep> unwanted = new ArrayList<>();
        synchronized (this) {
            endGroups(group -> group.has(split), unwanted);
            lanes.remove(split).windows().close();
        }
        unwanted.forEach(GroupStep::close);
    }

    private void endGroups(Predicate<LaneGroup> which, List<GroupStep> unwanted) {
        for (Group group : List.copyOf(groups.values())) {
            if (which.test(group.lanes())) {
                groups.remove(group.lanes());
                group.progress().end();
                group.progress().pollReady(unwanted);
                unwanted.addAll(queue.drop(group.lanes()));
            }
        }
    }

    void want(List<Want> wants) {
        List<GroupStep> unwanted = new ArrayList<>();
        List<GroupStep> displaced;
        synchronized (this) {
            for (Want want : wants) {
                // A late want of an ended generation. The sink would drop its steps, which would
                // then be made again and again.
                if (want.group().generation() > forgotten) {
                    want(want, unwanted);
                }
            }
            displaced = schedule();
        }
        unwanted.forEach(GroupStep::close);
        displaced.forEach(GroupStep::reclaim);
    }

    private void want(Want want, List<GroupStep> unwanted) {
        LaneGroup group = want.group();
        if (want.isNone()) {
            early.remove(group);
            endGroups(group::equals, unwanted);
            return;
        }
        early.keySet().removeIf(group::overlaps);
        endGroups(other -> other.overlaps(group) && !other.equals(group), unwanted);
        if (!lanes.keySet().containsAll(group.splits())) {
            early.put(group, want);
            return;
        }
        GroupProgress progress = groups.computeIfAbsent(group, this::begin).progress();
        progress.want(want);
        progress.pollReady(unwanted).forEach(queue::add);
    }

    private Group begin(LaneGroup group) {
        GroupRows rows =
                new GroupRows(
                        lanes.get(group.first()).stream(),
                        group.splits().stream().map(split -> lanes.get(split).windows()).toList());
        return new Group(
                group,
                rows,
                new GroupProgress(group, rows::areOpen, rows.stepBytes(), rows.lanes(), threads));
    }

    /** Stops making steps for that generation and earlier ones. */
    void forget(long generation) {
        List<GroupStep> unwanted = new ArrayList<>();
        synchronized (this) {
            forgotten = Math.max(forgotten, generation);
            early.keySet().removeIf(group -> group.generation() <= generation);
            endGroups(group -> group.generation() <= generation, unwanted);
        }
        unwanted.forEach(GroupStep::close);
    }

    /**
     * Starts the steps that fit into memory, the soonest needed first.
     *
     * @return the steps to reclaim, without the lock
     */
    private List<GroupStep> schedule() {
        if (closed) {
            return List.of();
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
            if (position >= 0 && budget.hasRoomFor(progress.bytesToMake())) {
                start(group, position);
            } else if (position >= 0 && progress.ahead() == 0) {
                // Other steps wait too, else small ones could keep this one from ever fitting.
                return makeRoom(group);
            }
        }
        return List.of();
    }

    /** Chooses the steps to reclaim for the first wanted step of a group. */
    private List<GroupStep> makeRoom(Group group) {
        long bytes = group.progress().bytesToMake();
        long others = 0;
        Map<GroupStep, Long> ahead = new HashMap<>();
        for (Group each : groups.values()) {
            others += each == group ? 0 : each.progress().firstBytes();
            ahead.putAll(each.progress().madeAhead());
        }
        if (bytes + others > budget.limit()) {
            queue.fail(tooLarge(group, bytes, others));
            return List.of();
        }
        List<GroupStep> displaced = new ArrayList<>();
        long missing = budget.missing(bytes);
        for (GroupStep step : furthestFirst(ahead)) {
            if (missing > 0) {
                missing -= step.batch().bytes();
                displaced.add(step);
            }
        }
        return displaced;
    }

    private static List<GroupStep> furthestFirst(Map<GroupStep, Long> ahead) {
        return ahead.entrySet().stream()
                .sorted(Map.Entry.<GroupStep, Long>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    }

    private UserException tooLarge(Group group, long bytes, long others) {
        return new UserException(
                String.format(
                        "a step of %s needs %,d bytes%s, and reader.step-memory is %,d: raise it,"
                                + " choose a smaller batch or fewer columns, or run more tasks",
                        group.lanes(),
                        bytes,
                        others == 0
                                ? ""
                                : String.format(
                                        " beside %,d bytes of the next steps of other ranks and"
                                                + " streams",
                                        others),
                        budget.limit()));
    }

    private void start(Group group, long position) {
        budget.reserve(group.progress().bytesToMake());
        group.progress().begin(position);
        memory.retain();
        Futures.onFailure(
                group.rows().prepare(position).thenRunAsync(() -> make(group, position), pool),
                cause -> fail(group, position, cause));
    }

    private void make(Group group, long position) {
        GroupStep step;
        try (StepSelection selection = group.rows().select(position)) {
            selected(group, position);
            step = gather(group, position, selection);
        }
        emit(group, step);
    }

    /** The rows are selected and their windows pinned, so the next step may be prepared. */
    private void selected(Group group, long position) {
        List<GroupStep> displaced;
        synchronized (this) {
            group.progress().selected(position);
            displaced = schedule();
        }
        displaced.forEach(GroupStep::reclaim);
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
        } catch (StepMemoryFullException e) {
            long bytes = batch.bytes() + e.bytes();
            batch.close();
            throw new StepMemoryFullException(bytes);
        } catch (Throwable t) {
            batch.close();
            throw t;
        }
    }

    private void emit(Group group, GroupStep step) {
        List<GroupStep> unwanted = new ArrayList<>();
        List<GroupStep> displaced;
        synchronized (this) {
            budget.release(group.progress().made(step));
            budget.reserve(step.batch().bytes());
            unemitted.add(step);
            // With the lock held, so that no step is emitted after one of its lanes was removed.
            group.progress().pollReady(unwanted).forEach(queue::add);
            displaced = schedule();
        }
        unwanted.forEach(GroupStep::close);
        displaced.forEach(GroupStep::reclaim);
    }

    /**
     * Makes the step again if a cache file was truncated meanwhile, or if it needs more memory than
     * expected. Any other failure fails the reader, unless the group has ended: then either the
     * reader that now has the lanes hits the same error in the data, or the windows were closed
     * during the step.
     */
    private void fail(Group group, long position, Throwable cause) {
        List<GroupStep> unwanted = new ArrayList<>();
        List<GroupStep> displaced = List.of();
        synchronized (this) {
            long reserved = group.progress().failed(position);
            budget.release(reserved);
            group.progress().pollReady(unwanted).forEach(queue::add);
            if (group.progress().hasEnded()) {
                LOG.debug("A step of {} that is not wanted any more failed", group.lanes(), cause);
                displaced = schedule();
            } else if (cause instanceof DamagedRowGroupException
                    && group.progress().retry(position)) {
                displaced = schedule();
            } else if (cause instanceof StepMemoryFullException full) {
                if (budget.used() == 0) {
                    queue.fail(tooLarge(group, full.bytes(), 0));
                } else {
                    // Growing, in case temporary memory of the gather is what did not fit.
                    long bytes = Math.max(full.bytes(), reserved + reserved / 4);
                    group.progress().needs(position, Math.min(bytes, budget.limit()));
                    displaced = schedule();
                }
            } else {
                queue.fail(cause);
            }
        }
        unwanted.forEach(GroupStep::close);
        displaced.forEach(GroupStep::reclaim);
        memory.release();
    }

    private void released(GroupStep step) {
        List<GroupStep> displaced;
        synchronized (this) {
            unemitted.remove(step);
            budget.release(step.batch().bytes());
            Group group = groups.get(step.group());
            if (group != null) {
                group.progress().release(step);
            }
            displaced = schedule();
        }
        displaced.forEach(GroupStep::reclaim);
        memory.release();
    }

    /** Hands the step over to the sink, which closes it. */
    synchronized void emitted(GroupStep step) {
        unemitted.remove(step);
    }

    /** The bytes of all steps that are made or in progress and not yet handed over. */
    synchronized long usedBytes() {
        return budget.used();
    }

    /** Stops making steps. */
    synchronized void stop() {
        closed = true;
    }

    /**
     * Unpins the windows and closes the steps that were not emitted. Call it after Flink has
     * stopped emitting records. A step still in progress, for example in a hanging read, is closed
     * once it is made.
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
            left = List.copyOf(unemitted);
        }
        left.forEach(GroupStep::close);
        memory.release();
    }
}
