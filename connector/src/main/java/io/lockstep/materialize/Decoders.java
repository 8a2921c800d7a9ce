package io.lockstep.materialize;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs the decoding of row groups on a pool, within a memory limit: a task that does not fit waits,
 * without a thread, until others have finished. Tasks run in submission order. Thread-safe.
 */
public final class Decoders implements AutoCloseable {

    private record Waiting(long bytes, Runnable task) {}

    private final Executor pool;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private long limit = Long.MAX_VALUE;
    private long used;
    private boolean closed;

    /** Creates decoders without a limit. */
    public Decoders(Executor pool) {
        this.pool = pool;
    }

    /** Sets the memory limit for all running tasks together. A task that needs more runs alone. */
    public void limit(long bytes) {
        synchronized (this) {
            limit = bytes;
        }
        startWaiting();
    }

    /**
     * An executor for tasks that each use the given memory.
     *
     * <p>It throws {@link java.util.concurrent.RejectedExecutionException} as the pool does, but
     * not for a task that had to wait.
     */
    public Executor using(long bytes) {
        return task -> execute(new Waiting(bytes, task));
    }

    private void execute(Waiting next) {
        synchronized (this) {
            if (!closed && (!waiting.isEmpty() || !fits(next))) {
                waiting.add(next);
                return;
            }
            used += next.bytes();
        }
        start(next);
    }

    /** With the lock held. */
    private boolean fits(Waiting next) {
        return used == 0 || next.bytes() <= limit - used;
    }

    private void start(Waiting next) {
        try {
            pool.execute(
                    () -> {
                        try {
                            next.task().run();
                        } finally {
                            release(next.bytes());
                        }
                    });
        } catch (Throwable t) {
            release(next.bytes());
            throw t;
        }
    }

    private void release(long bytes) {
        synchronized (this) {
            used -= bytes;
        }
        startWaiting();
    }

    private void startWaiting() {
        for (Waiting next = takeWaiting(); next != null; next = takeWaiting()) {
            start(next);
        }
    }

    private synchronized Waiting takeWaiting() {
        Waiting next = waiting.peek();
        if (next == null || !fits(next)) {
            return null;
        }
        used += next.bytes();
        return waiting.remove();
    }

    /**
     * Runs the waiting tasks on the pool one by one, because readers that share the store may be
     * waiting for them. Call it before the pool is shut down.
     */
    @Override
    public void close() {
        Queue<Waiting> left;
        synchronized (this) {
            closed = true;
            left = new ArrayDeque<>(waiting);
            waiting.clear();
        }
        if (!left.isEmpty()) {
            pool.execute(() -> left.forEach(next -> next.task().run()));
        }
    }
}
