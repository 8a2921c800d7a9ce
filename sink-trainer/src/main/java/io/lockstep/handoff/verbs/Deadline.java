package io.lockstep.handoff.verbs;

import java.time.Duration;

/** The time until which a call may be held. */
public record Deadline(long nanoTime) {

    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** The remaining time; zero after the deadline. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
    }
}
