package io.lockstep.cli.status;

import io.lockstep.handoff.protocol.Reply;
import io.lockstep.run.SinkEntry;

/**
 * One server of a run, as it was found.
 *
 * @param entry what the run directory says of it
 * @param stats what it says of itself; null where it does not answer
 * @param failure why not; null where it does
 */
record ServerState(SinkEntry entry, Reply.Stats stats, String failure) {

    boolean answers() {
        return stats != null;
    }
}
