package io.lockstep.run;

import java.util.UUID;

/**
 * One event of the run's log.
 *
 * @param time when it was written, ISO 8601 in UTC
 * @param generation the trainers that it concerns
 * @param rank the rank that reported it
 * @param stream the stream that it concerns
 * @param epoch with {@code step}, the next step of the trainers when it happened
 * @param text what happened, for people
 */
public record LogEntry(
        String time, long generation, int rank, String stream, long epoch, long step, String text) {

    /** A name that sorts by time and is never used twice. */
    String fileName() {
        return time.replace(":", "") + "-" + UUID.randomUUID() + ".json";
    }
}
