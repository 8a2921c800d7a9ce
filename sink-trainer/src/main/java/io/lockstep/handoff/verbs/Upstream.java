package io.lockstep.handoff.verbs;

import io.lockstep.run.LogEntry;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import io.lockstep.source.feedback.Want;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a hand-off server asks of the job that it is a part of. Called on the server's threads. */
public interface Upstream {

    /**
     * Has the wanted steps made and offered to the server; a lane has one want. Must neither block
     * nor call the server back on the same thread.
     */
    void want(List<Want> wants);

    /**
     * Asks the enumerator. The reply may come on any thread.
     *
     * @param hold for how long a rank may be kept that has to wait for others
     */
    CompletableFuture<TrainerReply> ask(TrainerRequest request, Duration hold);

    /** Where all lanes of the run are served now. May read a remote file system. */
    List<SinkEntry> sinks() throws IOException;

    /** Writes into the run's log. May write to a remote file system. */
    void log(LogEntry entry) throws IOException;
}
