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
 * @param launch the launch's name, the same for all its ranks; release 0.1 called it token
 * @param world the number of ranks
 * @param ranks those that have registered, by rank
 * @param closed the ranks that have finished cleanly
 * @param starts from where ranks have started streams, or were refused to, since all started last
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
     * A rank's word of a stream's start.
     *
     * @param round counts the starts of the stream, refused ones too, from 1
     * @param agreement what must be the same for all ranks, in words, by name
     */
    public record Start(String stream, int rank, int round, SortedMap<String, String> agreement) {}

    /** Whether every rank has finished cleanly. */
    public boolean done() {
        return world > 0 && closed.size() == world;
    }
}
