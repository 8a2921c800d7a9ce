package io.lockstep.run;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * The newest launch of trainers: {@code trainers/generation.json}.
 *
 * @param generation counts the launches of a run from 1
 * @param job the Flink job that it registered with
 * @param launch the id of the launch, which all its ranks share; release 0.1 called it token
 * @param world the number of ranks
 * @param ranks the registered processes, by rank
 * @param closed the ranks that have finished cleanly
 * @param starts the starts of streams, including refused ones, since all ranks last started
 */
public record GenerationEntry(
        long generation,
        String job,
        @JsonAlias("token") String launch,
        int world,
        List<Member> ranks,
        List<Integer> closed,
        List<Start> starts) {

    public GenerationEntry {
        Objects.requireNonNull(launch, "launch");
        ranks = List.copyOf(ranks);
        closed = List.copyOf(closed);
        starts = starts == null ? List.of() : List.copyOf(starts);
    }

    /** One rank's process. */
    public record Member(int rank, String host, String instance) {}

    /**
     * A rank's report of its start of a stream.
     *
     * @param round counts the starts of the stream, including refused ones, from 1
     * @param agreement settings that must agree on all ranks, as text by name
     */
    public record Start(String stream, int rank, int round, SortedMap<String, String> agreement) {}

    /** Whether every rank has finished cleanly. */
    public boolean done() {
        return world > 0 && closed.size() == world;
    }
}
