package io.lockstep.handoff.verbs;

import io.lockstep.dataset.EpochTable;
import io.lockstep.handoff.shm.SharedMemorySupport;
import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.LogEntry;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verbs of the run as a whole that a server answers itself: hello, routing, epochs, note. */
public final class RunVerbs {

    private static final Logger LOG = LoggerFactory.getLogger(RunVerbs.class);

    /** How long the server holds a call while the streams are still being planned. */
    private static final long ROUTING_MILLIS = 2000;

    private final ServerIdentity self;
    private final RunStateHolder state;
    private final SharedMemorySupport memory;
    private final Upstream upstream;
    private final KnownServers servers;
    private final Executor directory;
    private final Executor workers;
    private volatile boolean watched;

    /**
     * @param directory runs calls to the run directory, which may block
     */
    public RunVerbs(
            ServerIdentity self,
            RunStateHolder state,
            SharedMemorySupport memory,
            Upstream upstream,
            Executor directory,
            Executor workers) {
        this.self = self;
        this.state = state;
        this.memory = memory;
        this.upstream = upstream;
        this.servers = new KnownServers(self.run(), upstream, directory);
        this.directory = directory;
        this.workers = workers;
    }

    /**
     * Rejects a request for another server.
     *
     * @param request its bytes
     */
    public void checkIsMeant(byte[] request) {
        self.check(request);
    }

    public Reply hello(Request.Hello request) {
        LOG.debug("{} says hello", request.client());
        watched |= Boolean.TRUE.equals(request.watch());
        return new Reply.Hello(Messages.PROTOCOL, Messages.RELEASE, self.run(), memory.probe());
    }

    /** Whether some client learns from this server alone why a job ended. */
    public boolean isWatched() {
        return watched;
    }

    public CompletableFuture<Reply> routing(Request.Routing request) {
        Long waitMs = Objects.requireNonNullElse(request.waitMs(), ROUTING_MILLIS);
        return state.await(
                        now -> now.streams().isEmpty() ? Optional.empty() : Optional.of(now),
                        HoldLimit.of(waitMs))
                .thenCompose(
                        known -> {
                            RunState now = known.orElseThrow(RunVerbs::unplanned);
                            return servers.get()
                                    .thenApplyAsync(endpoints -> routing(now, endpoints), workers);
                        });
    }

    private static NotYetException unplanned() {
        return new NotYetException(
                "the streams of the run are not known here yet: they are still being planned");
    }

    public Reply epochs(Request.Epochs request) {
        RunState now = state.get();
        if (now.streams().isEmpty()) {
            throw unplanned();
        }
        EpochTable table = now.stream(request.stream()).info().table();
        if (!table.has(request.from())
                || request.count() < 1
                || request.count() > Request.Epochs.MAX) {
            throw new HandoffException(
                    ErrorCode.BAD_REQUEST,
                    String.format(
                            "%d epochs from epoch %d on cannot be asked for: \"from\" is 0 to %d,"
                                    + " \"count\" 1 to %d",
                            request.count(),
                            request.from(),
                            table.count() - 1,
                            Request.Epochs.MAX));
        }
        return new Reply.Epochs(table.range(request.from(), request.count()));
    }

    private static Reply routing(RunState known, List<SinkEntry> endpoints) {
        Map<String, Reply.StreamEntry> streams = new TreeMap<>();
        known.streams().forEach((name, stream) -> streams.put(name, stream.entry()));
        return new Reply.Routing(streams, endpoints);
    }

    /** Writes into the run's log. */
    public CompletableFuture<Reply> note(Request.Note request) {
        state.get().checkServes(request.generation());
        LogEntry entry =
                new LogEntry(
                        Instant.now().toString(),
                        request.generation(),
                        request.rank(),
                        request.stream(),
                        request.epoch(),
                        request.step(),
                        request.text());
        try {
            return CompletableFuture.supplyAsync(() -> written(entry), directory);
        } catch (RejectedExecutionException busy) {
            throw new NotYetException("waiting for the run's log to take earlier entries");
        }
    }

    private Reply written(LogEntry entry) {
        try {
            upstream.log(entry);
            return new Reply.Noted();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write into the run's log: " + e.getMessage(), e);
        }
    }
}
