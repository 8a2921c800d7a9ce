package io.lockstep.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * Where lanes are served: one file of {@code sinks/}.
 *
 * @param uri where the hand-off server listens
 * @param host the task manager's host
 * @param attempt counts the starts of this subtask
 * @param task the task's attempt, never used twice
 * @param lanes the lanes served, by stream, ascending
 * @param ca the path of the certificates by which clients verify an encrypting server; null for
 *     none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SinkEntry(
        int subtask,
        String uri,
        String host,
        int attempt,
        String task,
        Map<String, List<Integer>> lanes,
        @Nullable String ca) {

    /** One that does not encrypt, or whose clients verify by what they have. */
    public SinkEntry(
            int subtask,
            String uri,
            String host,
            int attempt,
            String task,
            Map<String, List<Integer>> lanes) {
        this(subtask, uri, host, attempt, task, lanes, null);
    }

    public SinkEntry {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(lanes, "lanes");
    }
}
