package io.lockstep.source.enumerator;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.run.GenerationEntry.Start;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

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

    /** The stream that each rank started last. */
    private final Map<Integer, String> latest = new HashMap<>();

    /** Resets the barrier for a new generation. */
    void clear() {
        arrived.clear();
        latest.clear();
    }

    /** Restores the arrivals from before a failure of the job. */
    void restore(List<Start> starts) {
        starts.forEach(this::arrive);
    }

    /** Records the arrival of a rank. Idempotent. */
    void arrive(Start start) {
        latest.put(start.rank(), start.stream());
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

    /**
     * The answer to a rank that has arrived; pending until all ranks have arrived.
     *
     * @param isDone whether a rank is done, and so will not arrive
     */
    Reply.OfRun answer(Start start, int world, IntPredicate isDone, IntPredicate isRegistered) {
        if (isOver(start)) {
            return new Reply.Noted();
        }
        Map<Integer, Start> round = arrived.get(start.stream()).get(start.round());
        for (Start other : round.values()) {
            if (!other.agreement().equals(start.agreement())) {
                return new Reply.Failure(ErrorCode.REFUSED, difference(other, start));
            }
        }
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            if (!round.containsKey(rank)) {
                missing.add(rank);
            }
        }
        if (missing.isEmpty()) {
            arrived.get(start.stream()).headMap(start.round()).clear();
            return new Reply.Noted();
        }
        List<Integer> done = missing.stream().filter(isDone::test).toList();
        if (!done.isEmpty()) {
            return new Reply.Failure(
                    ErrorCode.REFUSED,
                    String.format(
                            "%s done and will not start the stream '%s', which all ranks start together:"
                                    + " start it on every rank before one ends, or open it with"
                                    + " alone=True",
                            names(done) + (done.size() == 1 ? " is" : " are"), start.stream()));
        }
        return new Reply.Pending(
                "waiting for "
                        + names(missing)
                        + " to start the stream '"
                        + start.stream()
                        + "': "
                        + whatTheyDo(missing, start.stream(), isRegistered));
    }

    private String whatTheyDo(List<Integer> missing, String stream, IntPredicate isRegistered) {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank : missing) {
            String last = latest.get(rank);
            String what =
                    !isRegistered.test(rank)
                            ? "not registered yet"
                            : last == null
                                    ? "registered, no stream started yet"
                                    : "started the stream '"
                                            + last
                                            + "' last"
                                            + (last.equals(stream) ? ", in an earlier round" : "");
            ranks.computeIfAbsent(what, absent -> new ArrayList<>()).add(rank);
        }
        return ranks.entrySet().stream()
                .map(each -> names(each.getValue()) + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String names(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
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
