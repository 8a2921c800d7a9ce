package io.lockstep.source.enumerator;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor for run directory I/O. Flink's {@code callAsync} has a single thread, which planning
 * may occupy for minutes.
 */
final class RunDirectoryExecutor implements AsyncExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(RunDirectoryExecutor.class);

    private static final int THREADS = 4;

    private final Executor coordinator;
    private final ExecutorService pool;
    private final ScheduledExecutorService timer;
    private volatile boolean closed;

    /**
     * @param coordinator runs tasks on the coordinator's thread
     */
    RunDirectoryExecutor(Executor coordinator) {
        this.coordinator = coordinator;
        ExecutorThreadFactory factory = new ExecutorThreadFactory("lockstep-run-directory");
        this.pool = Executors.newFixedThreadPool(THREADS, factory);
        ScheduledThreadPoolExecutor one =
                new ScheduledThreadPoolExecutor(
                        1, new ExecutorThreadFactory("lockstep-run-directory-timer"));
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.timer = one;
    }

    @Override
    public <T> void call(Callable<T> work, BiConsumer<T, Throwable> outcome) {
        submit(
                () -> {
                    T result;
                    try {
                        result = work.call();
                    } catch (Throwable e) {
                        inCoordinator(() -> outcome.accept(null, e));
                        return;
                    }
                    inCoordinator(() -> outcome.accept(result, null));
                });
    }

    private void submit(Runnable task) {
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not called, since the coordinator has closed", e);
        }
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        try {
            // The task runs on the coordinator's thread, where its exceptions fail the job.
            ScheduledFuture<?> unused =
                    timer.schedule(
                            () -> inCoordinator(task), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not scheduled, since the coordinator has closed", e);
        }
    }

    private void inCoordinator(Runnable task) {
        try {
            coordinator.execute(
                    () -> {
                        if (!closed) {
                            task.run();
                        }
                    });
        } catch (RejectedExecutionException e) {
            LOG.debug("Not handed over, since the coordinator has closed", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        pool.shutdownNow();
    }
}
