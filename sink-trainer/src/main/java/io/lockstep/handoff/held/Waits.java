package io.lockstep.handoff.held;

import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;

/**
 * Since when a trainer has asked a group for a step, and since when it has been quiet. A call that
 * ends without the step and comes again for the same one is one wait. Not thread-safe.
 */
final class Waits {

    private static final long NOTHING = -1;

    private long position = NOTHING;
    private long askedNanos;
    private long touchedNanos = System.nanoTime();
    private boolean open;

    /** A call waits for the step at a position. */
    void begin(long ofPosition) {
        touchedNanos = System.nanoTime();
        if (position != ofPosition) {
            position = ofPosition;
            askedNanos = touchedNanos;
        }
        open = true;
    }

    /** No call waits any more; the step may or may not have been given. */
    void end() {
        touchedNanos = System.nanoTime();
        open = false;
    }

    /** The trainer has what it asked for, or asks for nothing now. */
    void settle() {
        touchedNanos = System.nanoTime();
        position = NOTHING;
    }

    /** How long the step at a position has been asked for in vain; null where it is not. */
    @Nullable
    Long waitingMillis(long ofPosition) {
        return position == ofPosition ? millisSince(askedNanos) : null;
    }

    /** How long nothing has been heard; null where a call waits. */
    @Nullable
    Long idleMillis() {
        return open ? null : millisSince(touchedNanos);
    }

    private static Long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
