package io.lockstep.run;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Where lanes are served: one file of {@code sinks/}.
 *
 * @param uri where the hand-off server listens
 * @param host the task manager's host
 * @param attempt counts the starts of this subtask
 * @param task the task's attempt, never used twice
 * @param lanes the lanes served, by stream, ascending
 */
public record SinkEntry(
        int subtask,
        String uri,
        String host,
        int attempt,
        String task,
        Map<String, List<Integer>> lanes) {

    public SinkEntry {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(lanes, "lanes");
    }
}
