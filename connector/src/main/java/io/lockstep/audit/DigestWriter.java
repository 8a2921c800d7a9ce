package io.lockstep.audit;

import io.lockstep.Plural;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes digests into a run directory, on a thread of its own: shortly after they came, when it is
 * told to, and when it is closed.
 *
 * <p>What a former writer has written is left as it is. A write that fails is tried again; what
 * came meanwhile is kept, up to a bound. Thread-safe.
 */
public final class DigestWriter implements AutoCloseable {

    /**
     * From the first new row to its writing. Each writing replaces a file that grows to 1 MiB; on
     * an object store one takes some 15 requests, so it comes less often there.
     */
    private static final Duration LOCAL_DELAY = Duration.ofSeconds(3);

    private static final Duration DISTRIBUTED_DELAY = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(DigestWriter.class);

    /** Rows that may wait for a file system that takes none: some 100 MB. */
    private static final int MAX_PENDING = 1 << 18;

    private static final long CLOSE_MILLIS = 10_000;

    private record Waiter(long rows, CompletableFuture<Void> written) {}

    private final String root;
    private final long delayMillis;
    private final OpenSegments segments;
    private final Thread thread;

    // Guarded by this.
    private List<DigestRow> pending = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private long added;
    private long durable;
    private boolean urgent;
    private boolean closed;
    private IOException failure;

    /**
     * A writer whose delay suits the run directory's file system.
     *
     * @param retention must be on
     * @throws IOException where the file system cannot be reached
     */
    public static DigestWriter open(RunDirectory run, DigestRetention retention)
            throws IOException {
        boolean distributed = new Path(run.root()).getFileSystem().isDistributedFS();
        return new DigestWriter(run, retention, distributed ? DISTRIBUTED_DELAY : LOCAL_DELAY);
    }

    /**
     * @param retention must be on
     * @param delay from the first new row to its writing
     */
    public DigestWriter(RunDirectory run, DigestRetention retention, Duration delay) {
        this.root = run.root();
        this.delayMillis = delay.toMillis();
        this.segments = new OpenSegments(new DigestFiles(run), retention);
        this.thread = new Thread(this::run, "lockstep-digests");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Takes a row over; it is written later.
     *
     * @return how many rows there are now: this one is durable when {@link #durable()} has come
     *     there
     * @throws UncheckedIOException where the file system has failed for so long that no more fit
     */
    public synchronized long add(DigestRow row) {
        if (closed) {
            throw new IllegalStateException("the writer of digests is closed");
        }
        if (pending.size() >= MAX_PENDING) {
            throw new UncheckedIOException(cannotWrite(failure));
        }
        pending.add(row);
        added++;
        if (pending.size() == 1) {
            notifyAll();
        }
        return added;
    }

    /** How many rows, counted from the first, are in the run directory. */
    public synchronized long durable() {
        return durable;
    }

    /** Why what was added is not in the run directory, where a write has failed. */
    public synchronized Optional<String> whyNot() {
        return Optional.ofNullable(failure).map(cause -> cannotWrite(cause).getMessage());
    }

    /** Writes at once; completes, on the writer's thread, when that many rows are durable. */
    public synchronized CompletableFuture<Void> whenDurable(long rows) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (durable >= rows) {
            written.complete(null);
        } else if (closed) {
            written.completeExceptionally(new IOException("the writer of digests is closed"));
        } else {
            waiters.add(new Waiter(rows, written));
            urgent = true;
            notifyAll();
        }
        return written;
    }

    /**
     * Writes all rows that have come.
     *
     * @throws IOException where that fails; they are kept, and tried again
     */
    public void flush() throws IOException, InterruptedException {
        synchronized (this) {
            long target = added;
            failure = null;
            urgent = true;
            notifyAll();
            while (durable < target && failure == null && thread.isAlive()) {
                wait();
            }
            if (durable < target) {
                throw cannotWrite(failure);
            }
        }
    }

    /** Writes what is left, for a bounded time, and ends the thread. A second call does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            // Flink interrupts the thread that cancels a task; the writer's goes on meanwhile.
            Thread.currentThread().interrupt();
        }
    }

    private IOException cannotWrite(IOException cause) {
        return new IOException(
                "the digests of the run cannot be written to "
                        + root
                        + "/digests"
                        + (cause == null ? "" : " (" + cause.getMessage() + ")")
                        + ": make room or give access there, or set digests: off in the run file",
                cause);
    }

    private void run() {
        try {
            boolean goOn = true;
            while (goOn) {
                goOn = write(next());
            }
        } catch (InterruptedException e) {
            LOG.warn("The writer of digests was interrupted");
        } finally {
            end();
        }
    }

    private synchronized void end() {
        closed = true;
        if (durable < added) {
            LOG.error(
                    "{}; lost: {}",
                    cannotWrite(failure).getMessage(),
                    Plural.of(added - durable, "step"));
        }
        waiters.forEach(waiter -> waiter.written().completeExceptionally(cannotWrite(failure)));
        waiters.clear();
        notifyAll();
    }

    /** The next rows to write, when it is time for them; none where all are written and closed. */
    private synchronized List<DigestRow> next() throws InterruptedException {
        while (pending.isEmpty() && !closed && durable == added) {
            wait();
        }
        long until = System.nanoTime() / 1_000_000 + delayMillis;
        for (long left = delayMillis; left > 0 && !urgent && !closed; ) {
            wait(left);
            left = until - System.nanoTime() / 1_000_000;
        }
        urgent = false;
        List<DigestRow> rows = pending;
        pending = new ArrayList<>();
        return rows;
    }

    /** Whether to go on. */
    private boolean write(List<DigestRow> rows) {
        IOException failed = null;
        long target;
        synchronized (this) {
            target = added - pending.size();
        }
        try {
            rows.forEach(segments::add);
            segments.write();
        } catch (IOException e) {
            failed = e;
        }
        List<Waiter> done = new ArrayList<>();
        boolean goOn;
        synchronized (this) {
            if (failed == null) {
                durable = target;
                failure = null;
                waiters.stream().filter(waiter -> waiter.rows() <= durable).forEach(done::add);
                waiters.removeAll(done);
            } else {
                if (failure == null) {
                    LOG.warn("{}; trying again", cannotWrite(failed).getMessage());
                }
                failure = failed;
            }
            goOn = !closed || failed == null && !pending.isEmpty();
            notifyAll();
        }
        done.forEach(waiter -> waiter.written().complete(null));
        return goOn;
    }
}
