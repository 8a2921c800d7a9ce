package io.lockstep.handoff.verbs;

import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.LogEntry;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.feedback.Want;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The server's interface to its job. Called on the server's threads. */
public interface Upstream {

    /**
     * Sets the wants, at most one for each lane; the job makes these steps and offers them to the
     * server. Must neither block nor call the server back on the same thread.
     */
    void want(List<Want> wants);

    /**
     * Asks the enumerator. The reply may come on any thread.
     *
     * @param hold how long a rank that waits for others may be held
     */
    CompletableFuture<Reply.OfRun> ask(Request.ToRun request, Duration hold);

    /** The current servers of all lanes of the run. May read a remote file system. */
    List<SinkEntry> sinks() throws IOException;

    /** Writes to the run's log. May write to a remote file system. */
    void log(LogEntry entry) throws IOException;
}
