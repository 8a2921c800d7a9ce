package io.lockstep.cache;

import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the checks of unpinned row groups, one after the other. */
final class CheckThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CheckThread.class);

    /**
     * The maximum time to wait for checks, which read the page cache at gigabytes per second;
     * bounded because a disk may hang.
     */
    private static final long CLOSE_SECONDS = 3;

    private final Path directory;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "lockstep-cache-check");
                        thread.setDaemon(true);
                        return thread;
                    });

    /**
     * @param directory for messages
     */
    CheckThread(Path directory) {
        this.directory = directory;
    }

    /** Runs a check; drops it after {@link #close}. */
    void submit(Runnable check) {
        try {
            thread.execute(check);
        } catch (RejectedExecutionException e) {
            LOG.debug("A row group in {} is unpinned at the end and not checked.", directory, e);
        }
    }

    /** Waits for the checks that were submitted, for a limited time. */
    @Override
    public void close() {
        thread.shutdown();
        boolean finished = false;
        try {
            finished = thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!finished) {
            int left = thread.shutdownNow().size();
            LOG.warn(
                    "{} row groups in {} were in use at the end and are not checked: reading them"
                            + " takes too long.",
                    left,
                    directory);
        }
    }
}
