package io.lockstep.source.reader;

import io.lockstep.materialize.DamageListener;
import io.lockstep.materialize.Decoders;
import io.lockstep.materialize.Materializer;
import io.lockstep.order.LaneEpoch;
import io.lockstep.order.Order;
import io.lockstep.order.Slice;
import io.lockstep.order.Stretch;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.feedback.StreamInfo;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes the row groups of a stream's first step while the job is still starting in this process.
 * Readers of the same run find them in the shared store.
 *
 * <p>This is only an optimization. It pins nothing, evicts nothing, and leaves failures to the
 * readers, which hit and report them.
 */
public final class HeadStart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HeadStart.class);

    private final SharedStores.Hold store;
    private final Materializer stream;
    private final Queue<Integer> rowGroups;
    private final CompletableFuture<Void> loading;
    private volatile boolean stopped;

    private HeadStart(SharedStores.Hold store, Materializer stream, int threads) {
        this.store = store;
        this.stream = stream;
        this.rowGroups = new ConcurrentLinkedQueue<>(firstNeeded(stream.order()));
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads, new ExecutorThreadFactory("lockstep-head-start"));
        this.loading =
                CompletableFuture.allOf(
                        IntStream.range(0, threads)
                                .mapToObj(thread -> CompletableFuture.runAsync(this::load, pool))
                                .toArray(CompletableFuture[]::new));
        pool.shutdown();
    }

    /**
     * Starts decoding, on all cores but one, which is left to the starting job.
     *
     * @param sealed the stream as sealed in the run directory
     * @param cache the same settings as the job's readers
     * @throws io.lockstep.UserException if the cache directory cannot be used
     */
    public static HeadStart begin(
            RunDirectory run, StreamSpec spec, StreamInfo sealed, CacheSettings cache)
            throws IOException {
        SharedStores.Hold store = SharedStores.hold(run, cache);
        try {
            Materializer stream =
                    SealedStreams.load(
                            run,
                            spec,
                            sealed,
                            store.store(),
                            new Decoders(Runnable::run),
                            Runnable::run,
                            DamageListener.NONE);
            int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
            return new HeadStart(store, stream, threads);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static Set<Integer> firstNeeded(Order order) {
        Set<Integer> needed = new LinkedHashSet<>();
        for (int lane = 0; lane < order.settings().lanes(); lane++) {
            LaneEpoch epoch = order.laneEpoch(0, lane);
            Stretch first = epoch.stretches(0).get(0);
            epoch.windows().get(first.window()).slices().stream()
                    .map(Slice::rowGroup)
                    .forEach(needed::add);
        }
        return needed;
    }

    /**
     * Decodes one row group at a time, so that readers that have started decode the rest
     * themselves.
     */
    private void load() {
        try {
            Integer next = rowGroups.poll();
            while (next != null && !stopped && stream.hasSpareRoomFor(next)) {
                stream.load(next).join();
                next = rowGroups.poll();
            }
        } catch (Throwable t) {
            LOG.debug("The head start has ended early", t);
        }
    }

    /** Waits for the row groups being decoded, then releases the hold on the store. */
    @Override
    public void close() throws IOException {
        stopped = true;
        await();
        store.close();
    }

    /** Waits until all row groups that fit are decoded, or until it has failed or is closed. */
    void await() {
        loading.join();
    }
}
