package io.lockstep.sink;

import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.time.Duration;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces a task's server in the run directory on a separate thread: writes the newest entry and
 * retries until it is durable. Thread-safe; only {@link #close} blocks.
 */
final class ServerAnnouncement implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerAnnouncement.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** The bound on a task's end; a stale entry is harmless, since its server is gone. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final RunDirectory run;
    private final int subtask;
    private final String task;
    private final Thread thread;

    // Guarded by this.
    private SinkEntry wanted;
    private SinkEntry written;
    private boolean closed;

    /**
     * @param task the task's attempt, as in its entries
     */
    ServerAnnouncement(RunDirectory run, int subtask, String task) {
        this.run = run;
        this.subtask = subtask;
        this.task = task;
        this.thread = new Thread(this::run, "lockstep-announce-" + subtask);
        thread.setDaemon(true);
        thread.start();
    }

    /** Replaces the entry. */
    synchronized void announce(SinkEntry entry) {
        wanted = entry;
        notifyAll();
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        try {
            while (true) {
                SinkEntry next = next();
                if (next == null) {
                    remove();
                    return;
                }
                try {
                    run.writeSink(next);
                    pause = FIRST_PAUSE;
                    done(next);
                } catch (IOException e) {
                    if (pause.equals(FIRST_PAUSE)) {
                        LOG.warn(
                                "Cannot announce this server in the run directory {}; trying again",
                                run.root(),
                                e);
                    }
                    pause(pause);
                    pause = pause.multipliedBy(2);
                    pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("The server's entry is left in the run directory", e);
        }
    }

    /** Waits for the next entry to write; returns null once closed. */
    @Nullable
    private synchronized SinkEntry next() throws InterruptedException {
        while (!closed && (wanted == null || wanted.equals(written))) {
            wait();
        }
        return closed ? null : wanted;
    }

    private synchronized void done(SinkEntry entry) {
        written = entry;
    }

    private synchronized void pause(Duration duration) throws InterruptedException {
        if (!closed) {
            wait(duration.toMillis());
        }
    }

    private void remove() {
        try {
            run.removeSink(subtask, task);
        } catch (IOException e) {
            LOG.warn("Cannot remove this server from the run directory {}", run.root(), e);
        }
    }

    /** Removes the entry, within a bounded time. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(CLOSE_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
