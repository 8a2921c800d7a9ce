package io.lockstep.run;

import java.util.List;

/**
 * The newest launch of trainers: {@code trainers/generation.json}.
 *
 * @param generation counts the launches of a run from 1
 * @param job the Flink job that it registered with
 * @param token the launch's name, the same for all its ranks
 * @param world the number of ranks
 * @param ranks those that have registered, by rank
 * @param closed the ranks that have finished cleanly
 */
public record GenerationEntry(
        long generation,
        String job,
        String token,
        int world,
        List<Member> ranks,
        List<Integer> closed) {

    /** One rank's process. */
    public record Member(int rank, String host, String instance) {}

    /** Whether every rank has finished cleanly. */
    public boolean done() {
        return world > 0 && closed.size() == world;
    }
}
