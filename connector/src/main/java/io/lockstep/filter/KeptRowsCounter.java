package io.lockstep.filter;

import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;

/** Counts the kept rows of all row groups, with a thread per processor. */
public final class KeptRowsCounter {

    private KeptRowsCounter() {}

    /**
     * Reads the columns of the selection once. If several row groups fail, throws the failure of
     * the first.
     *
     * @param progress called with the number of row groups that are counted
     * @throws io.lockstep.UserException if the selection does not fit the columns, a file has
     *     changed, or a row cannot be computed
     */
    public static KeptRows count(
            RowSelection selection, Manifest manifest, SchemaRules rules, Progress progress)
            throws IOException {
        KeptRowsReader reader = new KeptRowsReader(selection, manifest, rules);
        int rowGroups = manifest.rowGroups().size();
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), Math.max(1, rowGroups));
        ExecutorService pool = Executors.newFixedThreadPool(threads, KeptRowsCounter::daemon);
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE)) {
            try {
                return new KeptRows(selection, count(reader, rowGroups, pool, allocator, progress));
            } finally {
                // The tasks use the allocator.
                pool.shutdownNow();
                awaitEnd(pool);
            }
        }
    }

    private static long[] count(
            KeptRowsReader reader,
            int rowGroups,
            ExecutorService pool,
            BufferAllocator allocator,
            Progress progress)
            throws IOException {
        List<Future<Integer>> counting = new ArrayList<>();
        for (int i = 0; i < rowGroups; i++) {
            int rowGroup = i;
            counting.add(pool.submit(() -> reader.read(rowGroup, allocator).length));
        }
        long[] counts = new long[rowGroups];
        for (int i = 0; i < rowGroups; i++) {
            counts[i] = get(counting.get(i));
            progress.rowGroups(i + 1, rowGroups);
        }
        return counts;
    }

    private static int get(Future<Integer> counted) throws IOException {
        try {
            return counted.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while rows were counted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException("the rows could not be counted", e.getCause());
        }
    }

    private static void awaitEnd(ExecutorService pool) {
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

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "lockstep-filter");
        thread.setDaemon(true);
        return thread;
    }
}
