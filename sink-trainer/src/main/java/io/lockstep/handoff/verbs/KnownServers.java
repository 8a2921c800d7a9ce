package io.lockstep.handoff.verbs;

import io.lockstep.Futures;
import io.lockstep.protocol.NotYetException;
import io.lockstep.run.SinkEntry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The servers of the run, as the run directory last named them. A run directory that hangs or fails
 * delays a caller by a second at most. Thread-safe.
 */
final class KnownServers {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final String run;
    private final Upstream upstream;
    private final Executor directory;

    // Guarded by this.
    private CompletableFuture<List<SinkEntry>> reading;
    private List<SinkEntry> last;

    /**
     * @param directory may be blocked by the run directory
     */
    KnownServers(String run, Upstream upstream, Executor directory) {
        this.run = run;
        this.upstream = upstream;
        this.directory = directory;
    }

    /**
     * Reads the servers again; if that takes too long or fails, returns the last known ones. Fails
     * with {@link NotYetException} if none are known.
     */
    CompletableFuture<List<SinkEntry>> get() {
        return read().copy()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(this::known);
    }

    /** Joins the read that is under way, since a second one would hang like the first. */
    private synchronized CompletableFuture<List<SinkEntry>> read() {
        if (reading == null) {
            CompletableFuture<List<SinkEntry>> now = new CompletableFuture<>();
            try {
                directory.execute(() -> readNow(now));
            } catch (RejectedExecutionException busy) {
                return CompletableFuture.failedFuture(new TimeoutException());
            }
            reading = now;
        }
        return reading;
    }

    private void readNow(CompletableFuture<List<SinkEntry>> result) {
        try {
            List<SinkEntry> found = List.copyOf(upstream.sinks());
            synchronized (this) {
                last = found;
                reading = null;
            }
            result.complete(found);
        } catch (Throwable t) {
            synchronized (this) {
                reading = null;
            }
            result.completeExceptionally(t);
        }
    }

    private synchronized List<SinkEntry> known(Throwable failure) {
        if (last != null) {
            return last;
        }
        Throwable cause = Futures.cause(failure);
        throw new NotYetException(
                cause instanceof TimeoutException
                        ? "waiting for the run directory " + run + " to name the servers"
                        : "the servers cannot be read from the run directory "
                                + run
                                + ": "
                                + cause.getMessage());
    }
}
