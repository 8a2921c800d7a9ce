package io.lockstep.handoff.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a server; idle threads end. */
public final class HandoffThreads {

    private static final int MIN = 2;
    private static final int MAX = 8;
    private static final long IDLE_SECONDS = 30;
    private static final int MAX_WAITING = 256;

    private HandoffThreads() {}

    /** The number of threads of a kind for this host. */
    public static int count() {
        int processors = Runtime.getRuntime().availableProcessors();
        return Math.max(MIN, Math.min(MAX, processors));
    }

    /** Handles calls and copies batches. No task waits for another task. */
    public static ExecutorService workers() {
        int size = count();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        size,
                        size,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        named("lockstep-handoff-"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * A thread for calls to the run directory, which may block it for any time. Rejects calls while
     * too many wait.
     */
    public static ExecutorService directory() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(
                        1,
                        1,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        named("lockstep-handoff-directory-"));
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
