package io.lockstep.source.reader;

import io.lockstep.materialize.Decoders;
import io.lockstep.materialize.Materializer;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.GroupStep;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.event.LanesOffered;
import io.lockstep.source.event.OfferAnswered;
import io.lockstep.source.feedback.Assignment;
import io.lockstep.source.feedback.FeedbackChannel;
import io.lockstep.source.feedback.GenerationStarted;
import io.lockstep.source.feedback.RunDone;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.ToReader;
import io.lockstep.source.feedback.ToSink;
import io.lockstep.source.feedback.TrainerAsked;
import io.lockstep.source.feedback.Wants;
import io.lockstep.source.split.LaneSplit;
import io.lockstep.transform.python.WorkerPools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reader's work outside of Flink's threads: it tracks the task's lanes, makes their steps when
 * the sink wants them, and forwards requests to the enumerator.
 */
final class LaneService implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LaneService.class);

    /** Most row groups decode faster. A longer read may be hanging, and the task must end. */
    private static final long STOP_SECONDS = 1;

    private final RunDirectory run;
    private final Map<String, StreamSpec> specs;
    private final FeedbackChannel channel;
    private final SharedStores.Hold store;
    private final WorkerPools.Hold workers;
    private final DamageLog damage;
    private final LaneContents contents;
    private final ExecutorService pool;
    private final Decoders decoders;
    private final long stepBytes;
    private final ReadyQueue queue = new ReadyQueue();
    private final StepMaker maker;
    private final Consumer<SourceEvent> toEnumerator;
    private final SortedSet<LaneSplit> known = new TreeSet<>();
    private volatile List<StreamInfo> infos = List.of();

    LaneService(
            RunDirectory run,
            List<StreamSpec> specs,
            CacheSettings cache,
            ReaderSettings settings,
            String task,
            ReaderMemory memory,
            Consumer<SourceEvent> toEnumerator)
            throws IOException {
        this.run = run;
        this.specs = specs.stream().collect(Collectors.toMap(StreamSpec::name, spec -> spec));
        this.store = SharedStores.hold(run, cache);
        this.damage = new DamageLog(run);
        this.channel = FeedbackChannel.hold(task);
        int threads = settings.resolveThreads(memory.readers());
        this.contents =
                new LaneContents(
                        this::load,
                        store.store().maxBytes(),
                        settings.stepBytes(),
                        memory,
                        threads);
        this.pool =
                Executors.newFixedThreadPool(threads, new ExecutorThreadFactory("lockstep-steps"));
        this.decoders = new Decoders(pool);
        this.stepBytes = settings.stepBytes();
        this.maker =
                new StepMaker(
                        queue,
                        new ByteBudget(settings.stepBytes()),
                        pool,
                        threads,
                        new StepMemory(settings.stepBytes()),
                        settings.digests());
        this.toEnumerator = toEnumerator;
        // Last: nothing releases it if the constructor fails.
        this.workers = WorkerPools.hold();
        channel.attachReader(this::receive);
    }

    ReadyQueue queue() {
        return queue;
    }

    long usedBytes() {
        return maker.usedBytes();
    }

    /** The number of damaged cache files found in this process. */
    long damagedFiles() {
        return store.store().stats().damaged();
    }

    /** The number of steps of lanes that damaged cache files may have corrupted. */
    long damagedSteps() {
        return damage.steps();
    }

    /** Sets the streams of the run; must be called before lanes are added. */
    void sealed(List<StreamInfo> now) {
        infos = now;
        channel.down(new Assignment(now, new TreeSet<>()));
    }

    /** Sends a message to the sink after applying it here. */
    void toSink(ToSink message) {
        if (message instanceof GenerationStarted started) {
            maker.forget(started.generation() - 1);
        } else if (message instanceof RunDone) {
            queue.end();
        }
        channel.down(message);
    }

    /** Hands a step over to the sink, which closes it. */
    void emitted(GroupStep step) {
        maker.emitted(step);
    }

    /** Adds lanes. Runs on the fetcher's thread, because it loads manifests. */
    synchronized void addLanes(Collection<LaneSplit> lanes) {
        List<LaneSplit> added = new ArrayList<>(lanes);
        added.removeAll(known);
        known.addAll(added);
        long decoding = contents.check(known);
        decoders.limit(decoding);
        store.limit(stepBytes + decoding);
        for (LaneSplit lane : added) {
            maker.add(lane, contents.of(lane));
        }
        channel.down(new Assignment(infos, new TreeSet<>(known)));
    }

    /**
     * Removes lanes: after this returns, this task no longer serves them and none of their steps
     * becomes ready. Runs on the fetcher's thread, because it writes to the run directory.
     */
    synchronized void removeLanes(Set<LaneSplit> lanes) {
        known.removeAll(lanes);
        // The sink first, so that it stops wanting their steps.
        channel.down(new Assignment(infos, new TreeSet<>(known)));
        lanes.forEach(maker::remove);
        contents.retainStreamsOf(known);
    }

    /** Answers whether lanes could be added, on another thread, because it may load manifests. */
    void offered(LanesOffered offer) {
        pool.execute(
                () -> toEnumerator.accept(new OfferAnswered(offer.move(), refusal(offer.lanes()))));
    }

    private synchronized String refusal(Collection<LaneSplit> lanes) {
        SortedSet<LaneSplit> together = new TreeSet<>(known);
        together.addAll(lanes);
        try {
            contents.check(together);
            return null;
        } catch (Throwable t) {
            // Every offer needs an answer, and the pool's thread must survive.
            return t.getMessage() == null ? t.toString() : t.getMessage();
        }
    }

    private Materializer load(String name) {
        StreamInfo info =
                infos.stream()
                        .filter(stream -> stream.name().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "a lane of the stream '"
                                                        + name
                                                        + "' came before the stream was sealed"));
        try {
            return SealedStreams.load(
                    run, specs.get(name), info, store.store(), decoders, pool, damage.of(name));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot load the manifest of the stream '" + name + "' from " + run.root(), e);
        }
    }

    /** Runs on the sink's threads. */
    private void receive(ToReader message) {
        if (message instanceof Wants wants) {
            maker.want(wants.wants());
        } else if (message instanceof TrainerAsked question) {
            toEnumerator.accept(question);
        }
    }

    /**
     * Ends all work, then releases the store and the channel. Does not wait for a hanging read: its
     * thread keeps running and frees its resources when the read ends.
     */
    @Override
    public void close() throws IOException {
        maker.stop();
        // First, since a decoder may be waiting for a function.
        workers.close();
        decoders.close();
        pool.shutdown();
        try {
            if (!pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn(
                        "A read of {} has not ended within {} s; its memory is freed when it ends.",
                        specs.keySet(),
                        STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        queue.close();
        maker.close();
        store.close();
        // Close it after the store, whose last checks may find damage.
        damage.close();
        channel.close();
    }
}
