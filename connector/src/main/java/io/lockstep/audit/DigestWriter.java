package io.lockstep.audit;

import io.lockstep.Plural;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes digests into a run directory on its own thread: shortly after they are added, on request,
 * and on close.
 *
 * <p>Callers never wait for the file system, except in {@link #close}. A failed write is retried,
 * whatever the cause. Rows added meanwhile are buffered up to a limit; rows beyond it are lost, and
 * their steps are written as gaps as soon as the file system works again. Files of earlier writers
 * are left unchanged. Thread-safe.
 */
public final class DigestWriter implements AutoCloseable {

    /**
     * The delay from the first new row to its write. Each write replaces a file that grows to 1
     * MiB. On an object store a write takes about 15 requests, so the delay is longer there.
     */
    private static final Duration LOCAL_DELAY = Duration.ofSeconds(3);

    private static final Duration DISTRIBUTED_DELAY = Duration.ofSeconds(10);

    /** The maximum time that {@link #close()} waits. */
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private static final long RETRY_MILLIS = 3000;
    private static final long NANOS_A_MILLI = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(DigestWriter.class);

    /**
     * The limits of a writer.
     *
     * @param delay from the first new row to its write
     * @param stall the time after which a pending write counts as stalled
     * @param maxBytes the limit for rows waiting to be written
     */
    record Limits(Duration delay, Duration stall, long maxBytes) {
        static Limits of(Duration delay) {
            return new Limits(delay, Duration.ofSeconds(10), 32L << 20);
        }
    }

    private record Waiter(long rows, CompletableFuture<Void> written) {}

    private final String root;
    private final Limits limits;
    private final OpenSegments segments;
    private final Thread thread;

    /** Rows being added to the segments. Used by the writer's thread only. */
    private final Deque<DigestRow> taken = new ArrayDeque<>();

    // Guarded by this.
    private final List<Waiter> waiters = new ArrayList<>();
    private final LostSteps lost = new LostSteps();
    private Deque<DigestRow> pending = new ArrayDeque<>();
    private long pendingBytes;
    private long takenBytes;
    private long added;
    private long settled;
    private boolean urgent;
    private boolean closed;
    private Throwable failure;
    private boolean warned;
    private boolean writing;
    private long writingSince;

    /**
     * Creates a writer with a delay that suits the run directory's file system.
     *
     * @param retention must be enabled
     * @throws IOException if the file system is not supported
     */
    public static DigestWriter open(RunDirectory run, DigestRetention retention)
            throws IOException {
        boolean distributed = new Path(run.root()).getFileSystem().isDistributedFS();
        return new DigestWriter(run, retention, distributed ? DISTRIBUTED_DELAY : LOCAL_DELAY);
    }

    /**
     * @param retention must be enabled
     * @param delay from the first new row to its write
     */
    public DigestWriter(RunDirectory run, DigestRetention retention, Duration delay) {
        this(run, retention, Limits.of(delay));
    }

    DigestWriter(RunDirectory run, DigestRetention retention, Limits limits) {
        this.root = run.root();
        this.limits = limits;
        this.segments = new OpenSegments(new DigestFiles(run), retention);
        this.thread = new Thread(this::run, "lockstep-digests");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Adds a row, to be written later, or lost if the buffer is full. Never blocks.
     *
     * @return the number of rows added so far; once {@link #settled()} reaches it, this row is in
     *     the run directory or lost
     */
    public synchronized long add(DigestRow row) {
        added++;
        if (!closed && pendingBytes + takenBytes + row.size() <= limits.maxBytes()) {
            pending.add(row);
            pendingBytes += row.size();
        } else {
            lost.add(row);
        }
        if (isStalled()) {
            warn();
        }
        notifyAll();
        return added;
    }

    /** The number of rows, counted from the first, that are in the run directory or lost. */
    public synchronized long settled() {
        return settled;
    }

    /** The number of digests lost since the start. */
    public synchronized long lostDigests() {
        return lost.digests();
    }

    /** The number of steps with lost records that are not yet written as gaps. */
    public synchronized long unwrittenGaps() {
        return lost.unwritten().stream().mapToLong(Gap::steps).sum();
    }

    /** Why writing is failing now and what to do; empty if it is not. */
    public synchronized Optional<String> problem() {
        return failure != null || isStalled() ? Optional.of(message()) : Optional.empty();
    }

    /** Starts to write all added rows immediately, without waiting. */
    public synchronized void writeSoon() {
        urgent = true;
        notifyAll();
    }

    /**
     * Writes immediately; completes on the writer's thread when all added rows are durable. Fails
     * with an {@link IOException} if a write fails; the rows are kept for a retry.
     */
    public synchronized CompletableFuture<Void> whenDurable() {
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (settled >= added) {
            written.complete(null);
        } else if (closed) {
            written.completeExceptionally(new IOException("the writer of digests is closed"));
        } else {
            waiters.add(new Waiter(added, written));
            writeSoon();
        }
        return written;
    }

    /** Closes the writer; waits for up to 10 s. */
    @Override
    public void close() {
        close(CLOSE);
    }

    /**
     * Writes the remaining rows and ends the thread. Idempotent.
     *
     * @param limit how long to wait; a longer write continues in the background
     */
    public void close(Duration limit) {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(Math.max(1, limit.toMillis())); // 0 would wait without a limit
        } catch (InterruptedException e) {
            // Flink interrupts the closing thread when it cancels a task; the writer's thread
            // continues.
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{}; what was to be written last may be lost", message());
        }
    }

    private String message() {
        String why =
                failure == null
                        ? "no answer for " + sinceMillis() / 1000 + " s"
                        : failure instanceof IOException
                                ? String.valueOf(failure.getMessage())
                                : failure.toString();
        return "the digests of the run cannot be written to "
                + root
                + "/digests ("
                + why
                + "): make room or give access there, or set digests: off in the run file";
    }

    private boolean isStalled() {
        return writing && sinceMillis() >= limits.stall().toMillis();
    }

    private long sinceMillis() {
        return writing ? (System.nanoTime() - writingSince) / NANOS_A_MILLI : 0;
    }

    /** Once for each outage of the file system. */
    private void warn() {
        if (!warned) {
            LOG.warn(
                    "{}. Training goes on; records that do not fit into memory until then are lost",
                    message());
        }
        warned = true;
    }

    private void run() {
        boolean goOn = true;
        while (goOn) {
            try {
                awaitRows();
                goOn = succeeded(write());
            } catch (Throwable t) {
                // Errors too, because a dead thread would lose all later rows.
                goOn = failed(t);
            }
        }
        end();
    }

    private synchronized void awaitRows() throws InterruptedException {
        while (settled == added && !closed) {
            wait();
        }
        long delay = limits.delay().toMillis();
        delay = failure == null ? delay : Math.min(delay, RETRY_MILLIS);
        long until = System.nanoTime() / NANOS_A_MILLI + delay;
        for (long left = delay; left > 0 && !urgent && !closed; ) {
            wait(left);
            left = until - System.nanoTime() / NANOS_A_MILLI;
        }
        urgent = false;
        writing = true;
        writingSince = System.nanoTime();
    }

    /** Returns the number of rows added so far. */
    private long write() throws IOException {
        List<Gap> gaps;
        long rows;
        synchronized (this) {
            taken.addAll(pending);
            pending = new ArrayDeque<>();
            takenBytes += pendingBytes;
            pendingBytes = 0;
            gaps = lost.take();
            rows = added;
        }
        gaps.forEach(segments::add);
        while (!taken.isEmpty()) {
            segments.add(taken.peek());
            taken.remove();
        }
        segments.write();
        return rows;
    }

    /** Returns whether to continue. */
    private boolean succeeded(long rows) {
        List<Waiter> done = new ArrayList<>();
        boolean goOn;
        synchronized (this) {
            lost.written();
            settled = rows;
            takenBytes = 0;
            writing = false;
            if (warned) {
                LOG.warn(
                        "The digests of the run are written to {}/digests again; lost since the"
                                + " start: {}",
                        root,
                        Plural.of(lost.digests(), "digest"));
            }
            failure = null;
            warned = false;
            waiters.stream().filter(waiter -> waiter.rows() <= settled).forEach(done::add);
            waiters.removeAll(done);
            goOn = !closed || settled < added;
        }
        done.forEach(waiter -> waiter.written().complete(null));
        return goOn;
    }

    /** Returns whether to continue. */
    private boolean failed(Throwable cause) {
        List<Waiter> failed;
        IOException reported;
        boolean goOn;
        synchronized (this) {
            failure = cause;
            writing = false;
            warn();
            failed = List.copyOf(waiters);
            waiters.clear();
            reported = new IOException(message(), cause);
            goOn = !closed;
        }
        failed.forEach(waiter -> waiter.written().completeExceptionally(reported));
        return goOn;
    }

    /** The remaining rows are lost; their gaps may fit even if the rows did not. */
    private void end() {
        List<Gap> gaps;
        synchronized (this) {
            closed = true;
            List.of(segments.unwritten(), taken, pending).forEach(rows -> rows.forEach(lost::add));
            gaps = lost.unwritten();
        }
        try {
            segments.end(gaps);
        } catch (IOException | RuntimeException e) {
            LOG.error("{}", message(), e);
        }
        if (!gaps.isEmpty()) {
            LOG.error(
                    "{}; lost: {}",
                    message(),
                    Plural.of(gaps.stream().mapToLong(Gap::steps).sum(), "step"));
        }
    }
}
