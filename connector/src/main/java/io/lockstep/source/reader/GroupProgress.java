package io.lockstep.source.reader;

import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * The progress of one group: its want, its steps in progress, and its steps that are made but not
 * closed yet. Steps are emitted in the order of their positions. Not thread-safe; guarded by the
 * {@link StepMaker}.
 */
final class GroupProgress {

    private static final long NONE = -1;

    /** The maximum number of attempts to make a step whose cache files keep being truncated. */
    private static final int ATTEMPTS = 5;

    /** A step in progress. */
    private static final class Making {

        private final long bytes;

        /** The rows are selected, so the lanes' windows may move on to the next step. */
        private boolean selected;

        /** Null until the step is made; then it waits for earlier steps. */
        private GroupStep step;

        Making(long bytes) {
            this.bytes = bytes;
        }
    }

    private final LongPredicate isOpen;
    private final int parts;
    private final int maxConcurrent;
    private final NavigableMap<Long, Making> making = new TreeMap<>();
    private final Map<Long, GroupStep> held = new HashMap<>();

    /** The number of attempts by position, for steps whose files were damaged. */
    private final Map<Long, Integer> attempts = new HashMap<>();

    private Want want;
    private long stepBytes;

    /** What an attempt at the next step was found to need. */
    private long leastBytes;

    private boolean ended;

    /** All wanted positions before this one are held or in progress. */
    private long cursor;

    /**
     * @param isOpen tests whether the windows of a position are already open
     * @param stepBytes the expected bytes of a step
     * @param parts a step in progress needs temporary memory for one of that many parts of it
     * @param maxConcurrent the maximum number of steps in progress
     */
    GroupProgress(
            LaneGroup group, LongPredicate isOpen, long stepBytes, int parts, int maxConcurrent) {
        this.isOpen = isOpen;
        this.stepBytes = stepBytes;
        this.parts = parts;
        this.maxConcurrent = maxConcurrent;
        this.want = Want.none(group);
    }

    /** The bytes that the next step needs while it is made, as far as known. */
    long bytesToMake() {
        return Math.max(leastBytes, stepBytes + stepBytes / parts);
    }

    /** Replaces the want. Call {@link #pollReady} afterwards. */
    void want(Want wanted) {
        cursor = wanted.from() < want.from() ? wanted.from() : Math.max(cursor, wanted.from());
        want = wanted;
    }

    private boolean wants(long position) {
        return !ended && want.covers(position);
    }

    /**
     * The first wanted position that is neither held nor in progress; -1 if there is none or
     * another step must be made first.
     */
    long next() {
        if (ended || making.size() >= maxConcurrent) {
            return NONE;
        }
        for (Making other : making.values()) {
            if (!other.selected) {
                return NONE;
            }
        }
        while (cursor < want.upTo() && (held.containsKey(cursor) || making.containsKey(cursor))) {
            cursor++;
        }
        return cursor < want.upTo() && canOpen(cursor) ? cursor : NONE;
    }

    /**
     * Windows stay pinned while their steps are gathered, and only one step's windows are
     * guaranteed to fit. So a further step may only use windows that are already open.
     */
    private boolean canOpen(long position) {
        return making.isEmpty() || isOpen.test(position);
    }

    /**
     * The distance of the next step from the first wanted one, which the trainer may be waiting
     * for.
     */
    long ahead() {
        return next() - want.from();
    }

    void begin(long position) {
        making.put(position, new Making(bytesToMake()));
    }

    void selected(long position) {
        making.get(position).selected = true;
    }

    /**
     * Records that a step is made. Call {@link #pollReady} afterwards.
     *
     * @return the bytes that were reserved for it
     */
    long made(GroupStep step) {
        Making done = making.get(step.position());
        done.step = step;
        attempts.remove(step.position());
        stepBytes = step.batch().bytes();
        leastBytes = 0;
        return done.bytes;
    }

    /** Records that a step failed; returns the bytes that were reserved for it. */
    long failed(long position) {
        return making.remove(position).bytes;
    }

    /**
     * Schedules another attempt at a failed step, which may be emitted late. Returns false if no
     * attempts are left.
     */
    boolean retry(long position) {
        cursor = Math.min(cursor, position);
        return attempts.merge(position, 1, Integer::sum) < ATTEMPTS;
    }

    /** Records that a step failed because it needs more memory; another attempt follows. */
    void needs(long position, long bytes) {
        cursor = Math.min(cursor, position);
        leastBytes = bytes;
    }

    /**
     * The bytes of the first wanted step while it is in progress or waits for its trainer, else 0.
     */
    long firstBytes() {
        Making first = making.get(want.from());
        if (first != null && first.step == null) {
            return first.bytes;
        }
        GroupStep step = first == null ? held.get(want.from()) : first.step;
        return step != null && step.isWaiting() ? step.batch().bytes() : 0;
    }

    /**
     * The steps that were made ahead of use and wait, by their distance from the first wanted one.
     */
    Map<GroupStep, Long> madeAhead() {
        Map<GroupStep, Long> ahead = new HashMap<>();
        Stream.concat(held.values().stream(), making.values().stream().map(made -> made.step))
                .filter(step -> step != null && step.isWaiting() && step.position() != want.from())
                .forEach(step -> ahead.put(step, step.position() - want.from()));
        return ahead;
    }

    /**
     * Returns the steps to emit next and marks them as held.
     *
     * @param unwanted receives the steps to close
     */
    List<GroupStep> pollReady(List<GroupStep> unwanted) {
        List<GroupStep> out = new ArrayList<>();
        boolean blocked = false;
        Iterator<Map.Entry<Long, Making>> entries = making.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Long, Making> entry = entries.next();
            GroupStep step = entry.getValue().step;
            boolean wanted = wants(entry.getKey());
            if (step == null) {
                blocked |= wanted;
            } else if (!wanted) {
                entries.remove();
                unwanted.add(step);
                cursor = Math.min(cursor, step.position());
            } else if (!blocked) {
                entries.remove();
                held.put(step.position(), step);
                out.add(step);
            }
        }
        return out;
    }

    /** Clears the want. Call {@link #pollReady} afterwards. */
    void end() {
        ended = true;
        held.clear();
    }

    boolean hasEnded() {
        return ended;
    }

    /** Removes a closed step, unless it has been made again since. */
    void release(GroupStep step) {
        Making made = making.get(step.position());
        boolean wasReclaimed = made != null && made.step == step;
        if (wasReclaimed) {
            making.remove(step.position());
        }
        boolean wasThere = held.remove(step.position(), step) || wasReclaimed;
        if (wasThere && step.position() >= want.from()) {
            cursor = Math.min(cursor, step.position());
        }
    }
}
