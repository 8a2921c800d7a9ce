package io.lockstep.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * The address of a server and its lanes: one file of {@code sinks/}.
 *
 * @param uri the URI of the hand-off server
 * @param host the task manager's host
 * @param attempt counts the starts of this subtask
 * @param task the task attempt, which is unique
 * @param lanes the lanes served, by stream, ascending
 * @param ca the path of the CA certificates with which clients verify a TLS server; null if there
 *     is none
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

    /**
     * An entry without CA certificates: the server uses no TLS, or clients verify it with their own
     * certificates.
     */
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
