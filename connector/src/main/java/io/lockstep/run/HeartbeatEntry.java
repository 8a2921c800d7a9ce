package io.lockstep.run;

import java.util.Objects;
import org.apache.flink.annotation.Internal;

/**
 * The heartbeat of the job's coordinator: {@code heartbeat.json}, replaced every few seconds.
 *
 * @param job the Flink job
 * @param at when it was written, ISO 8601 in UTC
 */
@Internal
public record HeartbeatEntry(String job, String at) {

    public HeartbeatEntry {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(at, "at");
    }
}
