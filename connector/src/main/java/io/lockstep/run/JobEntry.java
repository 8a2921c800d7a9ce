package io.lockstep.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;

/**
 * The Flink job that serves the run: {@code job.json}.
 *
 * @param job its id; empty where it failed before it had one
 * @param state running where an earlier release wrote none
 * @param error why it failed, for people; null unless it failed
 * @param at when it came into this state, ISO 8601 in UTC; null where an earlier release wrote none
 */
@Internal
public record JobEntry(String job, State state, @Nullable String error, @Nullable String at) {

    /** What became of a job. */
    public enum State {
        @JsonProperty("running")
        RUNNING,
        /** It ended for an error that a restart does not mend. */
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
