package io.lockstep.source.reader;

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

    private final LaneSplit split;
    private final LaneWindows windows;
    private final Map<Long, LaneStep> held = new HashMap<>();
    private Want want;
    private long making = NONE;
    private long reserved;

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

    /** Steps that are held for another epoch or generation count no longer: the sink drops them. */
    void want(Want next) {
        if (want == null
                || want.generation() != next.generation()
                || want.epoch() != next.epoch()) {
            held.clear();
        }
        want = next;
    }

    void forget(long generation) {
        if (want != null && want.generation() <= generation) {
            want = null;
            held.clear();
        }
    }

    /**
     * The first wanted step that nobody holds; -1 if there is none or one is being made already.
     */
    long nextToMake() {
        if (want == null || making != NONE) {
            return NONE;
        }
        for (long step = want.from(); step < want.upTo(); step++) {
            if (!held.containsKey(step)) {
                return step;
            }
        }
        return NONE;
    }

    boolean holdsNothing() {
        return held.isEmpty();
    }

    void begin(long step, long bytes) {
        making = step;
        reserved = bytes;
    }

    /** Ends the making of a step; returns the bytes that were reserved for it. */
    long end() {
        making = NONE;
        return reserved;
    }

    void hold(LaneStep step) {
        held.put(step.step(), step);
    }

    /** Forgets a step that was closed, unless another was made in its place. */
    void release(LaneStep step) {
        held.remove(step.step(), step);
    }
}
