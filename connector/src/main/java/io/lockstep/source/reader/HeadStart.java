package io.lockstep.source.reader;

import io.lockstep.materialize.DamageListener;
import io.lockstep.materialize.Decoders;
import io.lockstep.materialize.Materializer;
import io.lockstep.order.Order;
import io.lockstep.order.Slice;
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
 * Decodes what the first step of a stream needs while the job that will read it is still being
 * started in this process: readers of the same run find it in the store that they share.
 *
 * <p>It only saves time. It pins nothing, gives nothing else up for room, and leaves it to the
 * readers to meet and report what fails.
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
     * Begins, on all processors but one, which is left to the start of the job.
     *
     * @param sealed the stream as it is sealed in the run's directory
     * @param cache as the job's readers will have it
     * @throws io.lockstep.UserException where the cache's directory cannot be used
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
            order.laneEpoch(0, lane).windows().stream()
                    .limit(1)
                    .flatMap(window -> window.slices().stream())
                    .map(Slice::rowGroup)
                    .forEach(needed::add);
        }
        return needed;
    }

    /** One row group after the other, so that readers that have come start the rest themselves. */
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

    /** Waits for what is being decoded, and gives back the share in the store. */
    @Override
    public void close() throws IOException {
        stopped = true;
        await();
        store.close();
    }

    /** Waits for its end: all is decoded that there is room for, it has failed, or is closed. */
    void await() {
        loading.join();
    }
}
