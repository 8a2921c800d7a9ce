package io.lockstep.source.enumerator;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.GenerationEntry.Member;
import io.lockstep.run.GenerationEntry.Start;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The newest launch of trainers, its ranks, and which of them have finished.
 *
 * <p>Rank 0 of a launch opens the next generation; the other ranks of the launch wait for it.
 * Requests are idempotent, so a rank may repeat them after any failure. Not thread-safe.
 */
final class GenerationRegistry {

    private final String job;
    private final boolean continued;
    private long generation;
    private String launch = "";
    private int world;
    private final Map<Integer, Member> ranks = new TreeMap<>();
    private final Set<Integer> closed = new TreeSet<>();
    private final Set<String> formerLaunches = new HashSet<>();

    /**
     * @param job the Flink job that serves the run now
     * @param continued whether it resumes from a checkpoint, so that trainers of an earlier job
     *     remain valid
     */
    GenerationRegistry(String job, boolean continued) {
        this.job = job;
        this.continued = continued;
    }

    /**
     * Restores the state from the run directory. A job submitted again into the directory of an
     * earlier job continues with that job's trainers, which may still be running and keep their
     * position. If all of them have finished, it waits for new trainers with the next generation
     * number.
     */
    void restore(GenerationEntry entry) {
        generation = entry.generation();
        if (!continues(entry)) {
            formerLaunches.add(entry.launch());
            return;
        }
        launch = entry.launch();
        world = entry.world();
        entry.ranks().forEach(member -> ranks.put(member.rank(), member));
        closed.addAll(entry.closed());
    }

    /** Whether the trainers of an entry are still those of this job. */
    boolean continues(GenerationEntry entry) {
        return continued || entry.job().equals(job) || !entry.done();
    }

    /** Records a generation that a checkpoint contains. */
    void atLeast(long checkpointed) {
        generation = Math.max(generation, checkpointed);
    }

    long generation() {
        return generation;
    }

    boolean done() {
        return world > 0 && closed.size() == world;
    }

    int world() {
        return world;
    }

    /**
     * @param starts the ranks' reported starts
     */
    GenerationEntry entry(List<Start> starts) {
        return new GenerationEntry(
                generation,
                job,
                launch,
                world,
                List.copyOf(ranks.values()),
                List.copyOf(closed),
                starts);
    }

    /** The refusal of a request from anything but a rank of the newest generation. */
    Optional<Reply.OfRun> fence(Request.OfRank request) {
        if (request.generation() == generation && world > 0) {
            return request.rank() >= 0 && request.rank() < world
                    ? Optional.empty()
                    : Optional.of(notOfWorld(request.rank(), world));
        }
        return Optional.of(
                new Reply.Failure(
                        ErrorCode.FENCED,
                        "generation "
                                + request.generation()
                                + (request.generation() == generation
                                        ? " is not one of this job, which was started again"
                                        : " was replaced by generation "
                                                + generation
                                                + ": another launch has taken over")
                                + "; end this process"));
    }

    /** Pending while the rank waits for rank 0. */
    Reply.OfRun register(Request.Register request) {
        if (request.rank() < 0 || request.rank() >= request.world()) {
            return notOfWorld(request.rank(), request.world());
        }
        if (!request.launch().equals(launch) || generation == 0) {
            if (formerLaunches.contains(request.launch())) {
                return new Reply.Failure(
                        ErrorCode.FENCED,
                        "the launch "
                                + request.launch()
                                + (launch.isEmpty()
                                        ? " had finished before this job was started again"
                                        : " was replaced by a newer one (" + launch + ")")
                                + ": end this process");
            }
            if (request.rank() != 0) {
                return new Reply.Pending(
                        "waiting for rank 0 of the launch " + request.launch() + " to register");
            }
            begin(request);
        }
        return join(request);
    }

    private void begin(Request.Register request) {
        formerLaunches.add(launch);
        generation++;
        launch = request.launch();
        world = request.world();
        ranks.clear();
        closed.clear();
    }

    private Reply.OfRun join(Request.Register request) {
        if (request.world() != world) {
            return refused(
                    "rank "
                            + request.rank()
                            + " was started for a world of "
                            + request.world()
                            + ", rank 0 for one of "
                            + world
                            + ": start all ranks with the same WORLD_SIZE");
        }
        Member member = ranks.get(request.rank());
        if (member != null && !member.instance().equals(request.instance())) {
            return refused(
                    "two processes say that they are rank "
                            + request.rank()
                            + " of the launch "
                            + launch
                            + ", one on "
                            + member.host()
                            + " and one on "
                            + request.host()
                            + ": give each process its own RANK, and each launch a name of its own");
        }
        ranks.put(request.rank(), new Member(request.rank(), request.host(), request.instance()));
        return new Reply.Registered(generation);
    }

    Reply.OfRun closed(Request.Close request) {
        return fence(request)
                .orElseGet(
                        () -> {
                            closed.add(request.rank());
                            return new Reply.Noted();
                        });
    }

    boolean isClosed(int rank) {
        return closed.contains(rank);
    }

    boolean isRegistered(int rank) {
        return ranks.containsKey(rank);
    }

    /** The ranks that have not finished, for messages. */
    List<Integer> awaited() {
        List<Integer> awaited = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            if (!closed.contains(rank)) {
                awaited.add(rank);
            }
        }
        return awaited;
    }

    private static Reply.OfRun notOfWorld(int rank, int world) {
        return refused("rank " + rank + " is not one of a world of " + world);
    }

    private static Reply.OfRun refused(String message) {
        return new Reply.Failure(ErrorCode.REFUSED, message);
    }
}
