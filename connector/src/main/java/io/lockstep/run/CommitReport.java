package io.lockstep.run;

import java.util.Objects;
import javax.annotation.Nullable;

/**
 * One rank's report that a state is part of a durable model checkpoint: a file of the ledger.
 *
 * @param number of the ledger's entry: later entries have higher ones
 * @param stream the stream of the position
 * @param generation the generation of trainers that committed
 * @param world the number of ranks; the entry is complete with a report from each
 * @param epoch with {@code step}, the next step after the state
 * @param rank the rank that reports
 * @param state the state that all ranks share, as JSON
 * @param generators the states of this rank's random generators as JSON; null if not kept
 */
public record CommitReport(
        long number,
        String stream,
        long generation,
        int world,
        long epoch,
        long step,
        int rank,
        String state,
        @Nullable String generators) {

    public CommitReport {
        Objects.requireNonNull(stream, "stream");
        Objects.requireNonNull(state, "state");
    }
}
