package io.lockstep.source.feedback;

import java.io.Serializable;

/** What a trainer asks of the run as a whole; the enumerator answers it. */
public sealed interface TrainerRequest extends Serializable {

    /**
     * A rank reports for duty.
     *
     * @param token names the launch; all ranks that were started together carry the same
     * @param host where the rank runs, for messages and for the placement of lanes
     * @param instance names the process, so that a repeated request is told from a second rank
     */
    record Register(String token, int rank, int world, String host, String instance)
            implements TrainerRequest {}

    /** A rank has finished cleanly and wants nothing more. */
    record Closed(long generation, int rank) implements TrainerRequest {}
}
