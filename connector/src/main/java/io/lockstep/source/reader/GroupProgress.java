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

/**
 * How far one group has come: what is wanted of it, which steps are in the making, and which were
 * made and are not closed yet. Steps come out in the order of their positions. Not thread-safe: the
 * {@link StepMaker} guards it.
 */
final class GroupProgress {

    private static final long NONE = -1;

    /** How often a step is made whose cache files are truncated again and again. */
    private static final int ATTEMPTS = 5;

    /** A step that is in the making. */
    private static final class Making {

        private final long bytes;

        /** The rows are chosen: the lanes' windows may move on to the next step. */
        private boolean selected;

        /** Null until it is made; then it waits for those before it. */
        private GroupStep step;

        Making(long bytes) {
            this.bytes = bytes;
        }
    }

    private final LongPredicate isOpen;
    private final int mostAtATime;
    private final NavigableMap<Long, Making> making = new TreeMap<>();
    private final Map<Long, GroupStep> held = new HashMap<>();

    /** By position, how often a step was begun whose files were damaged. */
    private final Map<Long, Integer> attempts = new HashMap<>();

    private Want want;
    private long stepBytes;
    private boolean ended;

    /** All wanted positions before this one are held or in the making. */
    private long cursor;

    /**
     * @param isOpen whether the windows of a position are open already
     * @param stepBytes what a step is expected to take
     * @param mostAtATime the most steps that are in the making at a time
     */
    GroupProgress(LaneGroup group, LongPredicate isOpen, long stepBytes, int mostAtATime) {
        this.isOpen = isOpen;
        this.stepBytes = stepBytes;
        this.mostAtATime = mostAtATime;
        this.want = Want.none(group);
    }

    /** What the next step is expected to take. */
    long stepBytes() {
        return stepBytes;
    }

    /** Replaces what is wanted. To be followed by {@link #comeOut}. */
    void want(Want wanted) {
        cursor = wanted.from() < want.from() ? wanted.from() : Math.max(cursor, wanted.from());
        want = wanted;
    }

    private boolean wants(long position) {
        return !ended && want.covers(position);
    }

    /**
     * The first wanted position that is neither held nor in the making; -1 where there is none, or
     * another has to be made first.
     */
    long next() {
        if (ended || making.size() >= mostAtATime) {
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
        return cursor < want.upTo() && mayOpen(cursor) ? cursor : NONE;
    }

    /**
     * While steps are gathered their windows stay pinned, and only one step's windows are sure to
     * fit: so a further step may only use those that are open.
     */
    private boolean mayOpen(long position) {
        return making.isEmpty() || isOpen.test(position);
    }

    /** How far the next step is from the first that is wanted, for which the trainer may wait. */
    long ahead() {
        return next() - want.from();
    }

    void begin(long position) {
        making.put(position, new Making(stepBytes));
    }

    void selected(long position) {
        making.get(position).selected = true;
    }

    /**
     * A step is made. To be followed by {@link #comeOut}.
     *
     * @return the bytes that were reserved for it
     */
    long made(GroupStep step) {
        Making done = making.get(step.position());
        done.step = step;
        attempts.remove(step.position());
        stepBytes = step.batch().bytes();
        return done.bytes;
    }

    /** A step cannot be made; returns the bytes that were reserved for it. */
    long failed(long position) {
        return making.remove(position).bytes;
    }

    /** Has a step that failed made again; returns whether it may be. It may come out late. */
    boolean again(long position) {
        cursor = Math.min(cursor, position);
        return attempts.merge(position, 1, Integer::sum) < ATTEMPTS;
    }

    /**
     * The steps that are next to be emitted, which are held from now on.
     *
     * @param unwanted takes those that are to be closed
     */
    List<GroupStep> comeOut(List<GroupStep> unwanted) {
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

    /** Wants nothing any more. To be followed by {@link #comeOut}. */
    void end() {
        ended = true;
        held.clear();
    }

    boolean hasEnded() {
        return ended;
    }

    /** Forgets a step that was closed, unless another was made in its place. */
    void release(GroupStep step) {
        if (held.remove(step.position(), step) && step.position() >= want.from()) {
            cursor = Math.min(cursor, step.position());
        }
    }
}
