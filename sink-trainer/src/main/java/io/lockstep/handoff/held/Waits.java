package io.lockstep.handoff.held;

import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;

/**
 * Tracks how long a trainer has waited for a step of a group, and how long it has been idle.
 * Repeated calls for the same step count as one wait. Not thread-safe.
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

    /** The call has ended, with or without the step. */
    void end() {
        touchedNanos = System.nanoTime();
        open = false;
    }

    /** The trainer has received its step, or requests none now. */
    void clearPosition() {
        touchedNanos = System.nanoTime();
        position = NOTHING;
    }

    /** How long a trainer has waited for the step at a position; null if none waits. */
    @Nullable
    Long waitingMillis(long ofPosition) {
        return position == ofPosition ? millisSince(askedNanos) : null;
    }

    /** How long the trainer has made no call; null while a call waits. */
    @Nullable
    Long idleMillis() {
        return open ? null : millisSince(touchedNanos);
    }

    private static Long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
