package io.lockstep.cli.servers;

import io.lockstep.batch.Allocators;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.protocol.HandoffException;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.memory.BufferAllocator;

/** Queries servers for their state: all in parallel, each for at most five seconds. */
public final class ServerProbe {

    /** On a busy host the first call may need seconds on the client's side alone. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String SILENT = "no answer within " + PATIENCE.toSeconds() + " s";

    private ServerProbe() {}

    /** Whether the servers of a run are up, taken together. */
    public enum Presence {
        /** At least one answers. */
        ANSWERING,
        /** None answers, but at least one may still be up. */
        SILENT,
        /** Nothing listens at their addresses. */
        GONE
    }

    /** Checks whether one of the servers of a run is up. */
    public static Presence look(RunDirectory run) throws IOException {
        List<ServerState> states = ask(run);
        if (states.stream().anyMatch(ServerState::answers)) {
            return Presence.ANSWERING;
        }
        return states.stream().allMatch(ServerState::gone) ? Presence.GONE : Presence.SILENT;
    }

    /** The servers of a run by subtask. */
    public static List<ServerState> ask(RunDirectory run) throws IOException {
        List<SinkEntry> servers = run.readSinks();
        Credentials credentials = Credentials.of(run);
        ExecutorService threads = Executors.newCachedThreadPool(ServerProbe::thread);
        try {
            List<CompletableFuture<ServerState>> asked =
                    servers.stream().map(server -> ask(server, credentials, threads)).toList();
            return asked.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdown();
        }
    }

    private static CompletableFuture<ServerState> ask(
            SinkEntry server, Credentials credentials, ExecutorService threads) {
        return CompletableFuture.supplyAsync(() -> askNow(server, credentials), threads)
                .completeOnTimeout(
                        ServerState.failing(server, SILENT),
                        PATIENCE.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private static ServerState askNow(SinkEntry server, Credentials credentials) {
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                HandoffClient client =
                        HandoffClient.connect(server, credentials, allocator, PATIENCE)) {
            return ServerState.answering(server, client.stats());
        } catch (FlightRuntimeException e) {
            return e.status().code() == FlightStatusCode.TIMED_OUT
                    ? ServerState.failing(server, SILENT)
                    : ServerState.gone(server);
        } catch (HandoffException e) {
            return ServerState.failing(server, e.getMessage());
        }
    }

    /** Daemon threads: one that outlives its query does not keep the process alive. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "lockstep-probe");
        thread.setDaemon(true);
        return thread;
    }
}
