package io.lockstep.handoff;

import java.time.Duration;

/** Until when a call may be held. */
record Deadline(long nanoTime) {

    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** What is left; zero when it has passed. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
    }
}
