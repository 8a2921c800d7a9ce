package io.lockstep.handoff.server;

import io.lockstep.UserException;
import io.lockstep.audit.DigestWriter;
import io.lockstep.handoff.flight.FlightBatches;
import io.lockstep.handoff.flight.FlightPort;
import io.lockstep.handoff.flight.HandoffProducer;
import io.lockstep.handoff.flight.TlsFiles;
import io.lockstep.handoff.held.HeldSteps;
import io.lockstep.handoff.shm.Connections;
import io.lockstep.handoff.shm.SharedMemorySupport;
import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.handoff.threads.HandoffThreads;
import io.lockstep.handoff.threads.Uninterrupted;
import io.lockstep.handoff.verbs.BatchVerbs;
import io.lockstep.handoff.verbs.EnumeratorVerbs;
import io.lockstep.handoff.verbs.OpenCalls;
import io.lockstep.handoff.verbs.RunVerbs;
import io.lockstep.handoff.verbs.ServerIdentity;
import io.lockstep.handoff.verbs.StepRecords;
import io.lockstep.handoff.verbs.StepService;
import io.lockstep.handoff.verbs.Upstream;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Assignment;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the steps of one task to the trainers: through shared memory on the same host, else by
 * Arrow Flight.
 *
 * <p>Flink's thread adds steps by {@link #offer} and never waits. The trainers' requests go
 * upstream. Thread-safe; closing ends all calls, closes all steps and deletes the shared memory.
 */
public final class HandoffServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HandoffServer.class);
    private static final long STOP_SECONDS = 10;

    /** Longer than such a client's pause between two calls. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private static final AtomicBoolean WARNED = new AtomicBoolean();

    private final BufferAllocator allocator;
    private final ExecutorService workers = HandoffThreads.workers();
    private final ExecutorService directory = HandoffThreads.directory();
    private final RunStateHolder state = new RunStateHolder(workers);
    private final OpenCalls calls = new OpenCalls();
    private final HeldSteps heldSteps;
    private final StepRecords records;
    private final RunVerbs run;
    private final SharedMemorySupport memory;
    private final FlightPort flight;
    private final String uri;
    private final TlsFiles tls;
    private boolean closed;

    private HandoffServer(
            HandoffSettings settings,
            Upstream upstream,
            BufferAllocator parent,
            StepRecords records)
            throws IOException {
        allocator = parent.newChildAllocator("hand-off", 0, Long.MAX_VALUE);
        this.records = records;
        heldSteps = new HeldSteps(upstream::want);
        memory =
                SharedMemorySupport.open(
                        settings.sharedMemory(), settings.run(), settings.task(), settings.slots());
        StepService steps = new StepService(state, heldSteps, workers);
        run =
                new RunVerbs(
                        new ServerIdentity(settings.run(), settings.task()),
                        state,
                        memory,
                        upstream,
                        directory,
                        workers);
        HandoffProducer producer =
                new HandoffProducer(
                        calls,
                        state,
                        run,
                        new EnumeratorVerbs(state, heldSteps, memory, upstream, workers),
                        new BatchVerbs(steps, memory, records, workers),
                        new FlightBatches(steps, allocator, records, workers),
                        this::stats,
                        allocator,
                        workers);
        flight =
                new FlightPort(
                        settings.bind(),
                        settings.host(),
                        settings.ports(),
                        settings.token(),
                        settings.tls(),
                        producer,
                        allocator,
                        workers);
        try {
            flight.open();
        } catch (BindException | UserException e) {
            close();
            throw e;
        }
        tls = settings.tls();
        uri = flight.location(settings.host(), flight.port()).getUri().toString();
    }

    /**
     * Starts a server. It holds calls until it knows the streams and lanes.
     *
     * @param allocator for batches sent by Flight; must outlive the server
     * @throws BindException if all its ports are in use; the message says what to do
     */
    public static HandoffServer start(
            HandoffSettings settings, Upstream upstream, BufferAllocator allocator)
            throws IOException {
        return start(settings, upstream, allocator, null);
    }

    /**
     * Starts a server that records which steps it serves and which its trainers report as consumed.
     *
     * @param digests receives the records and must outlive the server; null for none
     */
    public static HandoffServer start(
            HandoffSettings settings,
            Upstream upstream,
            BufferAllocator allocator,
            @Nullable DigestWriter digests)
            throws IOException {
        HandoffServer server =
                new HandoffServer(settings, upstream, allocator, new StepRecords(digests));
        LOG.info("Hands off to trainers at {}", server.uri());
        warnOfPlainText(settings);
        return server;
    }

    /** Warns once per process that traffic to other hosts is not encrypted. */
    private static void warnOfPlainText(HandoffSettings settings) throws IOException {
        if (settings.tls() == null
                && !InetAddress.getByName(settings.bind()).isLoopbackAddress()
                && !WARNED.getAndSet(true)) {
            LOG.warn(
                    "Calls to {} are not encrypted: anyone who reads the network between trainers"
                            + " and task managers can read the run's token and its batches; see"
                            + " docs/security.md",
                    settings.bind());
        }
    }

    /** The address for trainers: {@code grpc+tcp://host:port}, or {@code grpc+tls://host:port}. */
    public String uri() {
        return uri;
    }

    /** The path of the CA certificates to verify it by; null if it names none. */
    @Nullable
    public String ca() {
        return tls == null ? null : tls.ca();
    }

    /**
     * Takes ownership of a step: stores it, or closes it if no trainer requests it. Never blocks.
     */
    public void offer(GroupStep step) {
        heldSteps.offer(step);
    }

    /** Sets the task's lanes. */
    public synchronized void assigned(Assignment assignment) {
        if (!closed) {
            Set<StreamConsumer> left = heldSteps.assigned(assignment.lanes());
            memory.connections().ifPresent(open -> open.dropIf(left::contains));
            state.update(now -> now.withAssignment(assignment));
        }
    }

    /** Fences earlier generations. */
    public synchronized void generation(long generation) {
        if (!closed) {
            heldSteps.generation(generation);
            state.update(now -> now.withGeneration(generation));
            memory.connections().ifPresent(open -> open.fence(generation));
        }
    }

    /** The run is done; no further requests follow. */
    public synchronized void done() {
        if (!closed) {
            state.update(RunState::asDone);
        }
    }

    /** Counters since the server's start. */
    public Reply.Stats stats() {
        Map<String, Map<Integer, Reply.LaneStats>> lanes = heldSteps.laneStats();
        long emitted = 0;
        long served = 0;
        long remade = 0;
        long dropped = 0;
        long held = 0;
        for (Map<Integer, Reply.LaneStats> stream : lanes.values()) {
            for (Reply.LaneStats lane : stream.values()) {
                emitted += lane.emitted();
                served += lane.served();
                remade += lane.remade();
                dropped += lane.dropped();
                held += lane.held();
            }
        }
        return new Reply.Stats(
                lanes,
                emitted,
                served,
                remade,
                dropped,
                held,
                heldSteps.waiting(),
                memory.connections().map(Connections::count).orElse(0),
                records.unrecorded(),
                records.problem());
    }

    /** Ends all calls with an error and releases everything. */
    @Override
    public void close() throws IOException {
        close(Optional.empty());
    }

    /**
     * The same, and tells the clients why the job has failed. Stays for some seconds if there are
     * clients that would not learn it otherwise.
     *
     * @param failure of the job; empty if it has not failed
     */
    public void close(Optional<String> failure) throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        endCalls(failure);
        heldSteps.close();
        if (failure.isPresent() && run.isWatched()) {
            Uninterrupted.run(() -> Thread.sleep(FAREWELL.toMillis()));
        }
        try (allocator;
                memory) {
            // Lets the last replies be sent.
            Uninterrupted.run(flight::close);
            directory.shutdownNow();
            workers.shutdown();
            Uninterrupted.run(
                    () -> {
                        if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                            LOG.warn(
                                    "A hand-off is still under way {} s after the end",
                                    STOP_SECONDS);
                        }
                    });
        }
    }

    private void endCalls(Optional<String> failure) {
        if (failure.isPresent()) {
            String cause = failure.get();
            calls.end(
                    ErrorCode.FAILED,
                    "the job of the run has failed: "
                            + (cause.endsWith(".") ? cause : cause + ".")
                            + " Fix the cause, then start the job again");
        } else if (state.get().done()) {
            calls.end(ErrorCode.DONE, "the run is done: every rank of its trainers has closed");
        } else {
            calls.end(
                    ErrorCode.NOT_HERE, "this hand-off server has stopped: read the routing again");
        }
    }
}
