package io.lockstep.run;

import java.util.UUID;

/**
 * One event in the run's log.
 *
 * @param time when it was written, ISO 8601 in UTC
 * @param generation the generation of trainers that it concerns
 * @param rank the rank that reported it
 * @param stream the stream that it concerns
 * @param epoch with {@code step}, the next step of the trainers when it happened
 * @param text what happened, as a human-readable message
 */
public record LogEntry(
        String time, long generation, int rank, String stream, long epoch, long step, String text) {

    /** A unique name that sorts by time. */
    String fileName() {
        return time.replace(":", "") + "-" + UUID.randomUUID() + ".json";
    }
}
