package io.lockstep.source.enumerator;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.run.GenerationEntry.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A barrier at which the ranks of a generation start a stream together or not at all. Each rank
 * reports its start position and settings, then waits for the others. In each round either all
 * ranks start or all are refused. Not thread-safe.
 */
final class StartBarrier {

    /**
     * The ranks that have arrived, by stream, round and rank. Rounds before the last one that all
     * ranks started are dropped; later refused rounds are kept for ranks that arrive late.
     */
    private final Map<String, NavigableMap<Integer, Map<Integer, Start>>> arrived = new TreeMap<>();

    /** Resets the barrier for a new generation. */
    void clear() {
        arrived.clear();
    }

    /** Restores the arrivals from before a failure of the job. */
    void restore(List<Start> starts) {
        starts.forEach(this::arrive);
    }

    /** Records the arrival of a rank. Idempotent. */
    void arrive(Start start) {
        if (!isOver(start)) {
            arrived.computeIfAbsent(start.stream(), stream -> new TreeMap<>())
                    .computeIfAbsent(start.round(), round -> new TreeMap<>())
                    .put(start.rank(), start);
        }
    }

    /** Whether its round precedes one that all ranks have started. */
    private boolean isOver(Start start) {
        NavigableMap<Integer, Map<Integer, Start>> rounds = arrived.get(start.stream());
        return rounds != null && start.round() < rounds.firstKey();
    }

    List<Start> arrived() {
        List<Start> all = new ArrayList<>();
        arrived.values()
                .forEach(rounds -> rounds.values().forEach(round -> all.addAll(round.values())));
        return all;
    }

    /** The answer to a rank that has arrived; pending until all ranks have arrived. */
    Reply.OfRun answer(Start start, int world) {
        if (isOver(start)) {
            return new Reply.Noted();
        }
        Map<Integer, Start> round = arrived.get(start.stream()).get(start.round());
        for (Start other : round.values()) {
            if (!other.agreement().equals(start.agreement())) {
                return new Reply.Failure(ErrorCode.REFUSED, difference(other, start));
            }
        }
        List<String> awaited = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            if (!round.containsKey(rank)) {
                awaited.add(String.valueOf(rank));
            }
        }
        if (!awaited.isEmpty()) {
            return new Reply.Pending(
                    "waiting for "
                            + (awaited.size() == 1 ? "rank " : "ranks ")
                            + String.join(", ", awaited)
                            + " to start the stream '"
                            + start.stream()
                            + "'");
        }
        arrived.get(start.stream()).headMap(start.round()).clear();
        return new Reply.Noted();
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
