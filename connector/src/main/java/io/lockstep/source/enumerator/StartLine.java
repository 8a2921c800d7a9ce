package io.lockstep.source.enumerator;

import io.lockstep.run.GenerationEntry.Start;
import io.lockstep.source.feedback.TrainerReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lets the ranks of a generation start a stream together, or not at all: each says from where and
 * over what, and waits for the others. Not thread-safe.
 */
final class StartLine {

    private final Map<String, Map<Integer, Start>> starts = new TreeMap<>();

    /** A new generation starts anew. */
    void clear() {
        starts.clear();
    }

    /** Takes up what was said before a failure of the job. */
    void restore(List<Start> said) {
        said.forEach(this::say);
    }

    /** Takes a rank's word; returns whether it is a new one. */
    boolean say(Start start) {
        Start former =
                starts.computeIfAbsent(start.stream(), stream -> new TreeMap<>())
                        .put(start.rank(), start);
        return !start.equals(former);
    }

    List<Start> said() {
        List<Start> all = new ArrayList<>();
        starts.values().forEach(byRank -> all.addAll(byRank.values()));
        return all;
    }

    /** The answer to what a rank has said; awaited until the others' words are there. */
    TrainerReply answer(Start start, int world) {
        List<Integer> awaited = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            Start other = starts.get(start.stream()).get(rank);
            if (other == null || other.round() < start.round()) {
                awaited.add(rank);
            } else if (other.round() == start.round()
                    && !other.agreement().equals(start.agreement())) {
                return new TrainerReply.Refused("refused", difference(other, start));
            }
        }
        return awaited.isEmpty()
                ? new TrainerReply.Acknowledged()
                : new TrainerReply.Awaited(
                        "waiting for "
                                + (awaited.size() == 1 ? "rank " : "ranks ")
                                + String.join(", ", awaited.stream().map(String::valueOf).toList())
                                + " to start the stream '"
                                + start.stream()
                                + "'");
    }

    private static String difference(Start one, Start other) {
        for (Map.Entry<String, String> said : one.agreement().entrySet()) {
            String differing = other.agreement().get(said.getKey());
            if (!said.getValue().equals(differing)) {
                return String.format(
                        "the ranks cannot start the stream '%s' together: rank %d has the %s %s, rank %d %s;"
                                + " give all ranks the same state and settings",
                        one.stream(),
                        one.rank(),
                        said.getKey(),
                        said.getValue(),
                        other.rank(),
                        differing);
            }
        }
        return "the ranks cannot start the stream '" + one.stream() + "' together";
    }
}
