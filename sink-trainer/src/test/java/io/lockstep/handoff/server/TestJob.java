package io.lockstep.handoff.server;

import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import io.lockstep.dataset.EpochTable;
import io.lockstep.digest.StepDigests;
import io.lockstep.handoff.threads.Uninterrupted;
import io.lockstep.handoff.verbs.Upstream;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.LogEntry;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Assignment;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The part of a job that a hand-off server sees: makes the requested steps on a separate thread,
 * under the rules of the source reader.
 */
final class TestJob implements Upstream, AutoCloseable {

    static final String TRAIN = "train";
    static final int LANES = 4;
    static final int STEPS = 10;

    private final Schema columns;
    private final int rows;
    private final BufferAllocator allocator;
    private final ExecutorService flink = Executors.newSingleThreadExecutor();
    private final Map<LaneGroup, Want> wants = new HashMap<>();
    private long generation;
    private final Map<LaneGroup, Set<Long>> held = new HashMap<>();
    private final Set<Integer> paused = new HashSet<>();
    private final List<LogEntry> log = new CopyOnWriteArrayList<>();
    private final List<Duration> holds = new CopyOnWriteArrayList<>();
    private final List<SinkEntry> sinks = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch hanging = new CountDownLatch(0);
    private volatile Function<Request.ToRun, CompletableFuture<Reply.OfRun>> enumerator =
            request -> CompletableFuture.completedFuture(new Reply.Noted());
    private HandoffServer server;

    /**
     * @param rows of one lane in one step
     */
    TestJob(Schema columns, int rows, BufferAllocator allocator) {
        this.columns = columns;
        this.rows = rows;
        this.allocator = allocator;
    }

    /** Gives the server streams and lanes, and starts a generation. */
    void serveBy(HandoffServer server, long generation) {
        this.server = server;
        assign(LANES);
        generation(generation);
    }

    /** Assigns the first lanes of the streams train and eval to the server. */
    void assign(int lanes) {
        TreeSet<LaneSplit> here = new TreeSet<>();
        for (int lane = 0; lane < lanes; lane++) {
            here.add(new LaneSplit(TRAIN, lane));
            here.add(new LaneSplit("eval", lane));
        }
        forget(want -> !here.containsAll(want.group().splits()));
        server.assigned(new Assignment(List.of(info(TRAIN), info("eval")), here));
    }

    /** Starts a new generation of trainers. */
    void generation(long now) {
        synchronized (this) {
            generation = now;
        }
        forget(want -> want.group().generation() < now);
        server.generation(now);
    }

    private synchronized void forget(Predicate<Want> which) {
        wants.values().removeIf(which);
        held.keySet().retainAll(wants.keySet());
    }

    private StreamInfo info(String name) {
        OrderSettings order =
                new OrderSettings(-1L, LANES, LANES * rows, 2, Shuffle.LANE, Tail.DROP);
        return new StreamInfo(
                name,
                wire().serializeAsMessage(),
                order,
                table(name),
                2,
                "manifest",
                "fingerprint",
                "transforms");
    }

    /** The stream eval grows with its second epoch. */
    private EpochTable table(String stream) {
        long rowsOfStep = (long) LANES * rows;
        EpochTable sealed = EpochTable.constant(STEPS, rowsOfStep * STEPS, "manifest");
        return stream.equals(TRAIN)
                ? sealed
                : sealed.from(1, STEPS + 2, rowsOfStep * (STEPS + 2), "larger");
    }

    Schema wire() {
        return Wire.schema(columns);
    }

    /** The expected content of a step. The caller closes it. */
    StepBatch expected(LaneSplit lane, long epoch, long step) {
        return Samples.batch(columns, List.of(List.of(lane, epoch, step)), step, rows, allocator);
    }

    /** Stops making steps of a lane for now. */
    synchronized void pause(int lane) {
        paused.add(lane);
    }

    void resume(int lane) {
        List<Want> now;
        synchronized (this) {
            paused.remove(lane);
            now = new ArrayList<>(wants.values());
        }
        want(now);
    }

    void answer(Function<Request.ToRun, CompletableFuture<Reply.OfRun>> by) {
        enumerator = by;
    }

    void sinks(List<SinkEntry> entries) {
        sinks.addAll(entries);
    }

    /** The want of a lane; null if it has none. */
    synchronized Want wanted(LaneSplit lane) {
        return wants.values().stream()
                .filter(want -> want.group().has(lane))
                .findFirst()
                .orElse(null);
    }

    @Override
    public synchronized void want(List<Want> wanted) {
        wanted.forEach(this::want);
    }

    private void want(Want want) {
        LaneGroup group = want.group();
        if (group.generation() < generation) {
            return; // it was sent before its generation ended
        }
        forget(
                former ->
                        want.isNone()
                                ? former.group().equals(group)
                                : former.group().overlaps(group) && !former.group().equals(group));
        if (!want.isNone()) {
            wants.put(group, want);
            flink.execute(() -> make(group));
        }
    }

    private void make(LaneGroup group) {
        for (GroupStep step = next(group); step != null; step = next(group)) {
            server.offer(step);
        }
    }

    private synchronized GroupStep next(LaneGroup group) {
        Want want = wants.get(group);
        if (want == null || group.lanes().stream().anyMatch(paused::contains)) {
            return null;
        }
        Set<Long> present = held.computeIfAbsent(group, absent -> new HashSet<>());
        for (long position = want.from(); position < want.upTo(); position++) {
            if (present.add(position)) {
                EpochTable.Epoch epoch = table(group.stream()).at(position);
                StepBatch batch = batch(group, epoch.epoch(), epoch.step(position));
                return new GroupStep(
                        group,
                        position,
                        epoch,
                        batch,
                        StepDigests.lanes(batch, group.lanes().size()),
                        this::released);
            }
        }
        return null;
    }

    private StepBatch batch(LaneGroup group, long epoch, long step) {
        List<Object> positions = new ArrayList<>();
        group.splits().forEach(lane -> positions.add(List.of(lane, epoch, step)));
        return Samples.batch(columns, positions, step, rows, allocator);
    }

    private synchronized void released(GroupStep step) {
        Set<Long> present = held.get(step.group());
        if (present != null && wants.containsKey(step.group())) {
            present.remove(step.position());
            if (!flink.isShutdown()) {
                flink.execute(() -> make(step.group()));
            }
        }
    }

    @Override
    public CompletableFuture<Reply.OfRun> ask(Request.ToRun request, Duration hold) {
        holds.add(hold);
        return enumerator.apply(request);
    }

    @Override
    public List<SinkEntry> sinks() {
        Uninterrupted.run(() -> hanging.await());
        return List.copyOf(sinks);
    }

    @Override
    public void log(LogEntry entry) {
        Uninterrupted.run(() -> hanging.await());
        log.add(entry);
    }

    /** Blocks all calls to the run directory until the latch opens. */
    void hangRunDirectory(CountDownLatch until) {
        hanging = until;
    }

    /** The hold limit of each request. */
    List<Duration> holds() {
        return holds;
    }

    /** The entries of the run's log. */
    List<LogEntry> log() {
        return log;
    }

    /** Stops making steps; call it when the server is closed. */
    @Override
    public void close() {
        flink.shutdown();
        Uninterrupted.run(
                () -> {
                    if (!flink.awaitTermination(1, TimeUnit.MINUTES)) {
                        throw new IllegalStateException("a step is still being made");
                    }
                });
    }
}
