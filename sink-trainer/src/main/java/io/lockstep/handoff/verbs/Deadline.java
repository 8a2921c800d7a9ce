package io.lockstep.handoff.verbs;

import java.time.Duration;

/** Until when a call may be held. */
public record Deadline(long nanoTime) {

    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** What is left; zero when it has passed. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
    }
}
