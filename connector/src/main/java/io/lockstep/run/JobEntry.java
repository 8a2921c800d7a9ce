package io.lockstep.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;

/**
 * The Flink job that serves the run: {@code job.json}.
 *
 * @param job its id; empty if it failed before it had one
 * @param state running if an earlier release wrote none
 * @param error the error message; null unless it failed
 * @param at when it entered this state, ISO 8601 in UTC; null if an earlier release wrote none
 */
@Internal
public record JobEntry(String job, State state, @Nullable String error, @Nullable String at) {

    /** The state of a job. */
    public enum State {
        @JsonProperty("running")
        RUNNING,
        /** The job ended with an error that a restart cannot fix. */
        @JsonProperty("failed")
        FAILED,
        /** Every rank has closed. */
        @JsonProperty("done")
        DONE
    }

    public JobEntry {
        Objects.requireNonNull(job, "job");
        state = state == null ? State.RUNNING : state;
    }
}
