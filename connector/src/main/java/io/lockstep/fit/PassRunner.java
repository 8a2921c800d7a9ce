package io.lockstep.fit;

import io.lockstep.batch.Allocators;
import io.lockstep.materialize.Content;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.TransformException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Computes statistics over all row groups, with a thread per processor. Single use. */
final class PassRunner implements AutoCloseable {

    /** The most memory that row groups may take while they are decoded, if more than one is. */
    private static final long DECODING_BYTES = 1L << 30;

    private final Content content;
    private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
    private final ExecutorService pool;
    private final int threads;

    /**
     * @param content the rows
     */
    PassRunner(Content content) {
        this.content = content;
        this.threads = threads(content);
        this.pool = Executors.newFixedThreadPool(threads, PassRunner::daemon);
    }

    private static int threads(Content content) {
        int rowGroups = content.dataset().manifest().rowGroups().size();
        long most = 1;
        for (int i = 0; i < rowGroups; i++) {
            most = Math.max(most, content.decodingBytes(i));
        }
        long fitting = Math.max(1, DECODING_BYTES / most);
        int processors = Runtime.getRuntime().availableProcessors();
        return (int) Math.min(fitting, Math.min(processors, Math.max(1, rowGroups)));
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "lockstep-fit");
        thread.setDaemon(true);
        return thread;
    }

    /** A statistic that is being computed for a transform. */
    static final class Running<P> {

        private final String transform;
        private final Statistic.Computation<P> computation;
        private boolean ended;

        Running(String transform, Statistic.Computation<P> computation) {
            this.transform = transform;
            this.computation = computation;
        }

        boolean hasEnded() {
            return ended;
        }

        StatisticValue value() {
            return computation.value();
        }

        /** Returns a task that adds the partial result of the rows. */
        private Runnable summarise(VectorSchemaRoot rows) {
            try {
                P partial = computation.partial(rows);
                return () -> named(() -> computation.add(partial));
            } catch (TransformException e) {
                throw NamedTransform.named(transform, e);
            }
        }

        private void endPass() {
            named(() -> ended = computation.endPass());
        }

        private void named(Runnable step) {
            try {
                step.run();
            } catch (TransformException e) {
                throw NamedTransform.named(transform, e);
            }
        }
    }

    /**
     * Runs one pass.
     *
     * @param running statistics that have not ended
     * @param progress called with the number of row groups that are done
     */
    void pass(List<Running<?>> running, IntConsumer progress) throws IOException {
        int rowGroups = content.dataset().manifest().rowGroups().size();
        Deque<Future<List<Runnable>>> ahead = new ArrayDeque<>();
        int next = 0;
        for (int done = 0; done < rowGroups; done++) {
            // Few row groups are ahead of the one that is added next, so that memory is bounded.
            while (next < rowGroups && ahead.size() < 2 * threads) {
                int rowGroup = next++;
                ahead.add(pool.submit(() -> summarise(rowGroup, running)));
            }
            get(ahead.remove()).forEach(Runnable::run);
            progress.accept(done + 1);
        }
        running.forEach(Running::endPass);
    }

    private List<Runnable> summarise(int rowGroup, List<Running<?>> running) throws IOException {
        if (content.dataset().rows(rowGroup) == 0) {
            return List.of();
        }
        List<Runnable> additions = new ArrayList<>();
        try (VectorSchemaRoot rows = content.read(rowGroup, allocator)) {
            for (Running<?> each : running) {
                additions.add(each.summarise(rows));
            }
        }
        return additions;
    }

    private static <T> T get(Future<T> summarised) throws IOException {
        try {
            return summarised.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while transforms were fitted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException("the transforms could not be fitted", e.getCause());
        }
    }

    /** Waits for tasks that are left over, which use the allocator. */
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
        allocator.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
