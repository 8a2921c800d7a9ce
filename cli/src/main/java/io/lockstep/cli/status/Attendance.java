package io.lockstep.cli.status;

import io.lockstep.run.GenerationEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The ranks that the others wait for before the first step is served. */
final class Attendance {

    private Attendance() {}

    /**
     * One sentence for all ranks that have not attached, and one for each stream that some have not
     * started.
     *
     * @param since when the last rank or server was first heard of; all have waited since then
     */
    static List<String> of(Optional<GenerationEntry> newest, Duration since) {
        String waited = " since " + Waits.seconds(since.toMillis());
        if (newest.isEmpty()) {
            return List.of("the servers wait for trainers" + waited);
        }
        GenerationEntry entry = newest.get();
        List<Integer> there = entry.ranks().stream().map(GenerationEntry.Member::rank).toList();
        String absent = ranks(entry.world(), rank -> !there.contains(rank));
        List<String> sentences = new ArrayList<>();
        if (!absent.isEmpty()) {
            sentences.add("the others wait" + waited + " for " + named(absent) + " to attach");
        }
        rounds(entry)
                .forEach(
                        (stream, rounds) -> {
                            int newestRound = rounds.values().stream().max(Integer::compare).get();
                            String late =
                                    ranks(
                                            entry.world(),
                                            rank ->
                                                    there.contains(rank)
                                                            && !entry.closed().contains(rank)
                                                            && rounds.getOrDefault(rank, 0)
                                                                    < newestRound);
                            if (!late.isEmpty()) {
                                sentences.add(
                                        "the others wait"
                                                + waited
                                                + " for "
                                                + named(late)
                                                + " to start "
                                                + stream);
                            }
                        });
        return sentences;
    }

    /** How many times each rank has started each stream. */
    private static Map<String, Map<Integer, Integer>> rounds(GenerationEntry entry) {
        Map<String, Map<Integer, Integer>> rounds = new TreeMap<>();
        for (GenerationEntry.Start start : entry.starts()) {
            rounds.computeIfAbsent(start.stream(), stream -> new TreeMap<>())
                    .merge(start.rank(), start.round(), Math::max);
        }
        return rounds;
    }

    private static String named(String ranks) {
        return (ranks.contains(",") ? "ranks " : "rank ") + ranks;
    }

    private static String ranks(int world, IntPredicate which) {
        return IntStream.range(0, world)
                .filter(which)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }
}
