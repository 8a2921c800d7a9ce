package io.lockstep.source.reader;

import io.lockstep.materialize.LaneWindows;
import io.lockstep.source.LaneStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.util.HashMap;
import java.util.Map;

/**
 * How far one lane has come: what is wanted of it, and what of that was made and is still held by
 * somebody. Not thread-safe: the {@link StepMaker} guards it.
 */
final class LaneProgress {

    private static final long NONE = -1;
    private static final long UNKNOWN = -2;

    private final LaneSplit split;
    private final LaneWindows windows;
    private final Map<Long, LaneStep> held = new HashMap<>();
    private Want want;
    private long making = NONE;
    private long reserved;
    private boolean left;

    /** What {@link #nextToMake} answers until something changes: it is asked far more often. */
    private long next = UNKNOWN;

    /** All wanted positions before this one are held: nobody looks for them again. */
    private long heldUpTo;

    LaneProgress(LaneSplit split, LaneWindows windows) {
        this.split = split;
        this.windows = windows;
    }

    LaneSplit split() {
        return split;
    }

    LaneWindows windows() {
        return windows;
    }

    Want want() {
        return want;
    }

    /** Steps that are held for another generation count no longer: the sink drops them. */
    void want(Want wanted) {
        if (want == null || want.generation() != wanted.generation()) {
            held.clear();
        }
        boolean goesOn = !held.isEmpty() && want.from() <= wanted.from();
        heldUpTo = goesOn ? Math.max(heldUpTo, wanted.from()) : wanted.from();
        want = wanted;
        next = UNKNOWN;
    }

    void forget(long generation) {
        if (want != null && want.generation() <= generation) {
            want = null;
            held.clear();
            next = UNKNOWN;
        }
    }

    /**
     * The first wanted position whose step nobody holds; -1 if there is none or one is being made
     * already.
     */
    long nextToMake() {
        if (next == UNKNOWN) {
            next = findNext();
        }
        return next;
    }

    private long findNext() {
        if (want == null || making != NONE) {
            return NONE;
        }
        while (heldUpTo < want.upTo() && held.containsKey(heldUpTo)) {
            heldUpTo++;
        }
        return heldUpTo < want.upTo() ? heldUpTo : NONE;
    }

    /** Whether the next step to make is the first that is wanted: its trainer may wait for it. */
    boolean lacksFirst() {
        return want != null && nextToMake() == want.from();
    }

    /** Another reader has the lane from now on: nothing is wanted of it here any more. */
    void leave() {
        left = true;
        want = null;
        held.clear();
        next = UNKNOWN;
    }

    boolean hasLeft() {
        return left;
    }

    boolean isMaking() {
        return making != NONE;
    }

    void begin(long position, long bytes) {
        making = position;
        reserved = bytes;
        next = UNKNOWN;
    }

    /** Ends the making of a step; returns the bytes that were reserved for it. */
    long end() {
        making = NONE;
        next = UNKNOWN;
        return reserved;
    }

    void hold(LaneStep step) {
        held.put(step.position(), step);
        next = UNKNOWN;
    }

    /** Forgets a step that was closed, unless another was made in its place. */
    void release(LaneStep step) {
        if (held.remove(step.position(), step)) {
            next = UNKNOWN;
            if (want != null && step.position() >= want.from()) {
                heldUpTo = Math.min(heldUpTo, step.position());
            }
        }
    }
}
