package io.lockstep.run;

import java.util.Objects;
import javax.annotation.Nullable;

/**
 * One rank's word that a state is in a durable model checkpoint: a file of the ledger.
 *
 * @param number of the ledger's entry: later entries have higher ones
 * @param stream whose position it is
 * @param generation the trainers that committed
 * @param world the number of their ranks; the entry is complete with a report of each
 * @param epoch with {@code step}, the next step after the state
 * @param rank who reports
 * @param state what all ranks have in common, as JSON
 * @param generators the states of this rank's random generators as JSON; null where not kept
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
