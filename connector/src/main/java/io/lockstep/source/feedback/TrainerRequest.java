package io.lockstep.source.feedback;

import java.io.Serializable;
import java.util.List;
import java.util.SortedMap;
import javax.annotation.Nullable;

/** A request to the run as a whole, mostly from trainers, which the enumerator answers. */
public sealed interface TrainerRequest extends Serializable {

    /**
     * Registers a rank.
     *
     * @param launch the id of the launch, which all ranks started together share
     * @param host the rank's host, for messages and lane placement
     * @param instance identifies the process, to distinguish a repeated request from a second
     *     process with the same rank
     */
    record Register(String launch, int rank, int world, String host, String instance)
            implements TrainerRequest {}

    /** A rank has finished cleanly. */
    record Closed(long generation, int rank) implements TrainerRequest {}

    /**
     * A rank is about to take its first step of a stream, or its first step after a seek.
     *
     * @param round counts these from 1 within a generation, stream and rank
     * @param agreement settings that must agree on all ranks, as text by name
     */
    record Start(
            long generation,
            int rank,
            String stream,
            int round,
            SortedMap<String, String> agreement)
            implements TrainerRequest {}

    /**
     * Commits a state that is part of a rank's durable model checkpoint.
     *
     * @param epoch with {@code step}, the next step after the state
     * @param state the state that all ranks share, as JSON
     * @param generators the states of the rank's random generators as JSON; null if not kept
     */
    record Commit(
            long generation,
            int rank,
            String stream,
            long epoch,
            long step,
            String state,
            @Nullable String generators)
            implements TrainerRequest {}

    /** Requests the newest committed state of a stream. */
    record Resume(long generation, int rank, String stream) implements TrainerRequest {}

    /**
     * An operator requests that lanes move to other readers.
     *
     * @param lanes by stream
     * @param to the target readers, by subtask
     */
    record Move(SortedMap<String, List<Integer>> lanes, List<Integer> to)
            implements TrainerRequest {}
}
