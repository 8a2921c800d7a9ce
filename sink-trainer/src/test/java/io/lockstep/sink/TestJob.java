package io.lockstep.sink;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Transport;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.parquet.ParquetTrainingSource;
import io.lockstep.testing.FaultyFileSystem;
import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.apache.flink.util.ExceptionUtils;

/** A training job over a small dataset of several files, and the expected order of its samples. */
final class TestJob {

    /**
     * Rows of each row group, in canonical order: three files of three row groups, one of them
     * empty.
     */
    static final long[] ROWS = {50, 30, 20, 41, 9, 60, 25, 25, 40};

    private static final String WRITE =
            """
            import sys, pyarrow as pa, pyarrow.parquet as pq
            root, rows = sys.argv[1], [int(n) for n in sys.argv[2].split(",")]
            at = 0
            for number in range(0, len(rows), 3):
                with pq.ParquetWriter(f"{root}/part-{number // 3}.parquet", pa.schema([("id", pa.int64()), ("x", pa.float32())])) as out:
                    for n in rows[number:number + 3]:
                        ids = list(range(at, at + n))
                        out.write_table(pa.table({"id": pa.array(ids, pa.int64()), "x": pa.array([i / 2 for i in ids], pa.float32())}))
                        at += n
            """;

    private final MiniCluster cluster;
    private SinkSettings sinkSettings = SinkSettings.local();
    private final Path directory;
    private final OrderSettings train;
    private final OrderSettings eval = new OrderSettings(0, 4, 32, 2, Shuffle.NONE, Tail.PAD);
    private String run = "run";
    private String source;

    /** Controls the file system of the job's run directory; null for local files. */
    private FaultyFileSystem.Control fileSystem;

    private CacheSettings cacheSettings;
    private ReaderSettings readerSettings = new ReaderSettings(16 << 20, 2);
    private List<String> columns = List.of();
    private Duration checkpoints = Duration.ofMillis(200);
    private boolean held;
    private boolean partly;

    private TestJob(MiniCluster cluster, Path directory, OrderSettings train) {
        this.cluster = cluster;
        this.directory = directory;
        this.train = train;
        this.source = data().toString();
        this.cacheSettings = new CacheSettings(cache().toString(), 64 << 20);
    }

    /** Writes the dataset to a directory. */
    static TestJob over(Path directory, MiniCluster cluster) throws Exception {
        Path data = Files.createDirectories(directory.resolve("data"));
        List<String> rows = new ArrayList<>();
        for (long n : ROWS) {
            rows.add(Long.toString(n));
        }
        TestPython.run(WRITE, data.toString(), String.join(",", rows));
        return new TestJob(
                cluster, directory, new OrderSettings(7, 4, 16, 2, Shuffle.LANE, Tail.DROP));
    }

    /** The same job with the dataset and run of another directory. */
    TestJob in(Path other) {
        return new TestJob(cluster, other, train);
    }

    Path data() {
        return directory.resolve("data");
    }

    RunDirectory run() {
        return new RunDirectory(directory.resolve(run).toString());
    }

    Path cache() {
        return directory.resolve("cache");
    }

    Order order(String stream) {
        return new Order(stream.equals("train") ? train : eval, ROWS);
    }

    /** The same run directory with only these columns of the stream train. */
    TestJob withColumns(String... names) {
        TestJob other = with(train);
        other.columns = List.of(names);
        return other;
    }

    /** The same job, reading its data by another URI. */
    TestJob dataAt(String uri) {
        source = uri;
        return this;
    }

    /** The same job with another cache size. */
    TestJob cacheBytes(long bytes) {
        cacheSettings = new CacheSettings(cache().toString(), bytes);
        return this;
    }

    /** The same job with another step memory. */
    TestJob stepBytes(long bytes) {
        readerSettings = new ReaderSettings(bytes, 2);
        return this;
    }

    /**
     * The same job with checkpoints at Flink's shortest interval; the first that fails or times out
     * fails the job.
     */
    TestJob strictCheckpoints() {
        checkpoints = Duration.ofMillis(10);
        return this;
    }

    /**
     * The same run in a job that a second, idle source keeps running; the tasks of the run wait at
     * their end for the next checkpoint, which is a savepoint's.
     */
    TestJob held() {
        TestJob other = with(train);
        other.checkpoints = Duration.ofDays(1);
        other.held = true;
        return other;
    }

    /** The same job, restoring the part of a savepoint that it knows. */
    TestJob partly() {
        TestJob other = with(train);
        other.partly = true;
        return other;
    }

    /** The same run directory with another seed for the stream train. */
    TestJob withSeed(long seed) {
        return with(
                new OrderSettings(
                        seed,
                        train.lanes(),
                        train.batch(),
                        train.window(),
                        train.shuffle(),
                        train.tail()));
    }

    /**
     * The same run directory with another number of lanes, of four rows a step, for the stream
     * train.
     */
    TestJob withLanes(int lanes) {
        return with(
                new OrderSettings(
                        train.seed(),
                        lanes,
                        4 * lanes,
                        train.window(),
                        train.shuffle(),
                        train.tail()));
    }

    /** The same run directory with the dataset's own order for the stream train. */
    TestJob sequential() {
        return with(
                new OrderSettings(
                        train.seed(),
                        train.lanes(),
                        train.batch(),
                        train.window(),
                        Shuffle.SEQUENTIAL,
                        Tail.PAD));
    }

    private TestJob with(OrderSettings order) {
        return new TestJob(cluster, directory, order);
    }

    /** The expected sample ids of one lane's part of a step. */
    List<Long> expected(String stream, int lane, long epoch, long step) {
        Order order = order(stream);
        var plan = order.step(epoch, step);
        List<Long> samples = new ArrayList<>();
        for (int place = 0; place < order.settings().perLane(); place++) {
            samples.add(plan.sample(lane, place));
        }
        return samples;
    }

    /** The expected sample ids of the lanes [first, end). */
    List<Long> expected(String stream, int first, int end, long epoch, long step) {
        List<Long> samples = new ArrayList<>();
        for (int lane = first; lane < end; lane++) {
            samples.addAll(expected(stream, lane, epoch, step));
        }
        return samples;
    }

    /**
     * The same job, whose run directory is on a file system that can fail; the trainers' is not.
     */
    TestJob on(FaultyFileSystem.Control control) {
        fileSystem = control;
        return this;
    }

    /** The same job with another run directory. */
    TestJob withRun(String name) {
        TestJob other = new TestJob(cluster, directory, train);
        other.run = name;
        return other;
    }

    /** Submits the job. */
    JobClient start(int parallelism) throws Exception {
        return start(parallelism, null);
    }

    /** The same job, whose servers listen where their task manager does. */
    TestJob onTheAddressesOfTaskManagers() {
        sinkSettings = SinkSettings.cluster();
        return this;
    }

    TestJob at(String address) {
        sinkSettings = SinkSettings.cluster().at(address);
        return this;
    }

    /** Submits the job, from a savepoint if one is given. */
    JobClient start(int parallelism, String savepoint) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 0);
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofSeconds(20));
        if (savepoint != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
            configuration.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, partly);
        }
        TestStreamEnvironment environment =
                new TestStreamEnvironment(
                        cluster, configuration, parallelism, List.of(), List.of());
        List<StreamSpec> streams =
                List.of(
                        new StreamSpec("train", List.of(source), columns, train, 2),
                        new StreamSpec("eval", List.of(source), List.of(), eval, 1));
        new TrainingJob(
                        fileSystem == null ? run().root() : fileSystem.uri(directory.resolve(run)),
                        streams,
                        cacheSettings,
                        readerSettings,
                        sinkSettings,
                        parallelism,
                        checkpoints)
                .build(environment);
        if (held) {
            hold(environment, streams.get(0));
        }
        return environment.executeAsync("training job under test");
    }

    private void hold(StreamExecutionEnvironment environment, StreamSpec stream) {
        Configuration atEnd = new Configuration();
        atEnd.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, true);
        environment.configure(atEnd);
        environment
                .fromSource(
                        ParquetTrainingSource.builder()
                                .runDirectory(withRun("unused").run().root())
                                .cache(cacheSettings)
                                .reader(readerSettings)
                                .stream(stream)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "Holds the job")
                .sinkTo(new DiscardingSink<>());
    }

    /** A rank of the run's trainers. The caller closes it. */
    TestTrainer trainer(String launch, int rank, int world, Transport transport) throws Exception {
        return new TestTrainer(run(), launch, rank, world, transport);
    }

    /** Moves lanes and returns when they are served there. */
    void move(Map<String, List<Integer>> lanes, int to) {
        Request.Move request = new Request.Move(new TreeMap<>(lanes), List.of(to));
        Instant end = Instant.now().plusSeconds(120);
        while (!isServed(lanes, to)) {
            try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                    HandoffClient client =
                            HandoffClient.connect(
                                    run().readSinks().get(0).uri(),
                                    Credentials.of(run()),
                                    allocator)) {
                client.move(request);
            } catch (HandoffException e) {
                // Its task is about to restart, or the server that was asked has stopped.
                if (e.code() != ErrorCode.NOT_HERE && !e.getMessage().contains("is not there")) {
                    throw e;
                }
                failAfter(end, e);
            } catch (NotYetException
                    | FlightRuntimeException
                    | IndexOutOfBoundsException
                    | IOException e) {
                failAfter(end, e);
            }
        }
    }

    private static void failAfter(Instant end, Exception reason) {
        if (Instant.now().isAfter(end)) {
            throw new IllegalStateException("lanes are not moved after 120 s", reason);
        }
    }

    private boolean isServed(Map<String, List<Integer>> lanes, int by) {
        try {
            return run().readSinks().stream()
                    .filter(entry -> entry.subtask() == by)
                    .anyMatch(
                            entry ->
                                    lanes.entrySet().stream()
                                            .allMatch(
                                                    stream ->
                                                            entry.lanes()
                                                                    .getOrDefault(
                                                                            stream.getKey(),
                                                                            List.of())
                                                                    .containsAll(
                                                                            stream.getValue())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the job with a savepoint, without draining it. */
    String stopWithSavepoint(JobClient job) throws Exception {
        return stopWithSavepoint(job, false);
    }

    /** Stops the job with a savepoint. */
    String stopWithSavepoint(JobClient job, boolean drain) throws Exception {
        return job.stopWithSavepoint(
                        drain,
                        directory.resolve("savepoints").toUri().toString(),
                        SavepointFormatType.CANONICAL)
                .get();
    }

    /** The fault that ended a job without a restart. */
    static String faultOf(JobClient job) throws Exception {
        try {
            job.getJobExecutionResult().get();
        } catch (Exception e) {
            Optional<UserException> fault = ExceptionUtils.findThrowable(e, UserException.class);
            return fault.map(Throwable::getMessage).orElseThrow(() -> e);
        }
        throw new AssertionError("the job ended well");
    }
}
