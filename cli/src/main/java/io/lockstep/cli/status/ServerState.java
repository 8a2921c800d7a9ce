package io.lockstep.cli.status;

import io.lockstep.handoff.protocol.Reply;
import io.lockstep.run.SinkEntry;
import javax.annotation.Nullable;

/**
 * One server of a run, as it was found.
 *
 * @param entry what the run directory says of it
 * @param stats what it says of itself; null where it does not answer
 * @param failure why not; null where it does
 * @param gone whether nothing listens there
 */
record ServerState(
        SinkEntry entry, @Nullable Reply.Stats stats, @Nullable String failure, boolean gone) {

    static ServerState answering(SinkEntry entry, Reply.Stats stats) {
        return new ServerState(entry, stats, null, false);
    }

    /** One that may be there, though it does not say how it is. */
    static ServerState failing(SinkEntry entry, String failure) {
        return new ServerState(entry, null, failure, false);
    }

    static ServerState gone(SinkEntry entry) {
        return new ServerState(entry, null, "nothing listens there", true);
    }

    boolean answers() {
        return stats != null;
    }
}
