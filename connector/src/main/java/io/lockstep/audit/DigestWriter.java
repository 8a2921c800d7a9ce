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
 * Writes digests into a run directory, on a thread of its own: shortly after they came, when it is
 * told to, and when it is closed.
 *
 * <p>Callers never wait for the file system, except in {@link #close}. A write that fails is tried
 * again, whatever made it fail. What comes meanwhile is kept up to a bound; what does not fit is
 * lost, and the steps concerned are written as gaps as soon as the file system works again. What a
 * former writer has written is left as it is. Thread-safe.
 */
public final class DigestWriter implements AutoCloseable {

    /**
     * From the first new row to its writing. Each writing replaces a file that grows to 1 MiB; on
     * an object store one takes some 15 requests, so it comes less often there.
     */
    private static final Duration LOCAL_DELAY = Duration.ofSeconds(3);

    private static final Duration DISTRIBUTED_DELAY = Duration.ofSeconds(10);

    /** How long {@link #close()} waits at most. */
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private static final long RETRY_MILLIS = 3000;
    private static final long NANOS_A_MILLI = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(DigestWriter.class);

    /**
     * What a writer puts up with.
     *
     * @param delay from the first new row to its writing
     * @param stall after which a write that has not returned counts as trouble
     * @param maxBytes of rows that may wait to be written
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

    /** Rows on their way into the segments. Of the writer's thread. */
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
     * A writer whose delay suits the run directory's file system.
     *
     * @param retention must be on
     * @throws IOException where there is no such file system
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
     * Takes a row over; it is written later, or lost where no more fit. Never waits.
     *
     * @return how many rows there are now: this one is in the run directory, or lost, when {@link
     *     #settled()} has come there
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

    /** How many rows, counted from the first, are in the run directory or were lost. */
    public synchronized long settled() {
        return settled;
    }

    /** How many digests were lost since the start. */
    public synchronized long lostDigests() {
        return lost.digests();
    }

    /** How many steps have lost records that the run directory does not know of yet. */
    public synchronized long unwrittenGaps() {
        return lost.unwritten().stream().mapToLong(Gap::steps).sum();
    }

    /** Why nothing can be written now, with what to do; empty where it can. */
    public synchronized Optional<String> trouble() {
        return failure != null || isStalled() ? Optional.of(message()) : Optional.empty();
    }

    /** Has all rows that have come written at once, without waiting for it. */
    public synchronized void writeSoon() {
        urgent = true;
        notifyAll();
    }

    /**
     * Writes at once; completes, on the writer's thread, when all rows that have come are durable.
     * Fails with an {@link IOException} when a write fails: the rows are kept nevertheless.
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

    /** Closes it, and waits for up to 10 s. */
    @Override
    public void close() {
        close(CLOSE);
    }

    /**
     * Writes what is left and ends the thread. A second call does nothing.
     *
     * @param limit how long to wait; a write that takes longer goes on in the background
     */
    public void close(Duration limit) {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(limit.toMillis());
        } catch (InterruptedException e) {
            // Flink interrupts the thread that cancels a task; the writer's goes on meanwhile.
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

    /** Once for each time that the file system does not work. */
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
                // An Error too: a dead thread would lose all that comes.
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

    /** Returns how many rows were added until then. */
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

    /** Whether to go on. */
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

    /** Whether to go on. */
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

    /** What is left is lost; the gaps may fit where the rows did not. */
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
