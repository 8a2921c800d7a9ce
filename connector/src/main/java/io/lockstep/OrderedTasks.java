package io.lockstep;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.annotation.Internal;

/**
 * Runs numbered tasks on threads of its own and hands out their results in order. Few results are
 * ahead of the one that is handed out next, so that they take little memory. Used by one thread.
 */
@Internal
public final class OrderedTasks implements AutoCloseable {

    private final String name;
    private final int threads;
    private final ExecutorService pool;

    /** Computes the result of a task; called on several threads. */
    @FunctionalInterface
    public interface Task<T> {
        T run(int number) throws IOException;
    }

    /** Receives the results of tasks, in order. */
    @FunctionalInterface
    public interface Receiver<T> {
        void accept(int number, T result);
    }

    /**
     * @param name of the threads, and of the work in errors
     */
    public OrderedTasks(String name, int threads) {
        this.name = name;
        this.threads = threads;
        this.pool = Executors.newFixedThreadPool(threads, this::daemon);
    }

    private Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "lockstep-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Runs the tasks 0 to {@code count - 1}. If several fail, throws the failure of the first.
     *
     * @throws InterruptedIOException if this thread is interrupted
     */
    public <T> void run(int count, Task<T> task, Receiver<T> receiver) throws IOException {
        Deque<Future<T>> ahead = new ArrayDeque<>();
        int next = 0;
        for (int done = 0; done < count; done++) {
            while (next < count && ahead.size() < 2 * threads) {
                int number = next++;
                ahead.add(pool.submit(() -> task.run(number)));
            }
            receiver.accept(done, get(ahead.remove()));
        }
    }

    private <T> T get(Future<T> result) throws IOException {
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for: " + name);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException("failed: " + name, e.getCause());
        }
    }

    /** Cancels what is left over and waits for its end, so that its memory can be closed. */
    @Override
    public void close() {
        pool.shutdownNow();
        boolean interrupted = Thread.interrupted();
        while (!pool.isTerminated()) {
            try {
                pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
