package io.lockstep.source.feedback;

import java.io.Serializable;
import java.util.List;
import java.util.SortedMap;
import javax.annotation.Nullable;

/** What is asked of the run as a whole, mostly by trainers; the enumerator answers it. */
public sealed interface TrainerRequest extends Serializable {

    /**
     * A rank reports for duty.
     *
     * @param launch the name of the launch, the same for all ranks that were started together
     * @param host where the rank runs, for messages and for the placement of lanes
     * @param instance names the process, so that a repeated request is told from a second rank
     */
    record Register(String launch, int rank, int world, String host, String instance)
            implements TrainerRequest {}

    /** A rank has finished cleanly and wants nothing more. */
    record Closed(long generation, int rank) implements TrainerRequest {}

    /**
     * A rank is about to take its first step of a stream, or its first after it has gone elsewhere.
     *
     * @param round counts these from 1 within a generation, stream and rank
     * @param agreement what must be the same for all ranks, in words, by name
     */
    record Start(
            long generation,
            int rank,
            String stream,
            int round,
            SortedMap<String, String> agreement)
            implements TrainerRequest {}

    /**
     * A rank has a state in a durable model checkpoint.
     *
     * @param epoch with {@code step}, the next step after the state
     * @param state what all ranks have in common, as JSON
     * @param generators the states of the rank's random generators as JSON; null where not kept
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

    /** A rank asks for the newest committed state of a stream. */
    record Resume(long generation, int rank, String stream) implements TrainerRequest {}

    /**
     * Somebody who runs the job wants lanes served elsewhere.
     *
     * @param lanes by stream
     * @param to the readers, by subtask, that are to have them
     */
    record Move(SortedMap<String, List<Integer>> lanes, List<Integer> to)
            implements TrainerRequest {}
}
