package io.lockstep.cli.servers;

import io.lockstep.protocol.Reply;
import io.lockstep.run.SinkEntry;
import javax.annotation.Nullable;

/**
 * The state of one server of a run.
 *
 * @param entry its entry in the run directory
 * @param stats its own statistics; null if it does not answer
 * @param failure why it does not answer; null if it does
 * @param gone whether nothing listens at its address
 */
public record ServerState(
        SinkEntry entry, @Nullable Reply.Stats stats, @Nullable String failure, boolean gone) {

    public static ServerState answering(SinkEntry entry, Reply.Stats stats) {
        return new ServerState(entry, stats, null, false);
    }

    /** Whether the server may be up although it does not answer. */
    public static ServerState failing(SinkEntry entry, String failure) {
        return new ServerState(entry, null, failure, false);
    }

    public static ServerState gone(SinkEntry entry) {
        return new ServerState(entry, null, "nothing listens there", true);
    }

    public boolean answers() {
        return stats != null;
    }
}
