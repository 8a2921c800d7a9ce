package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.batch.StepBatch;
import io.lockstep.cache.DamagedRowGroupException;
import io.lockstep.cache.RowGroupStore;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.testing.TestParquet;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps of a lane while files of the store change under it. */
class DamagedCacheTest {

    private static final int GROUPS = 6;

    @TempDir private Path scratch;

    private final BufferAllocator allocator = new RootAllocator();
    private final BlockingQueue<DamagedSteps> damaged = new LinkedBlockingQueue<>();
    private Dataset dataset;
    private Content content;
    private RowGroupStore store;
    private Order order;
    private LaneWindows lane;

    @BeforeEach
    void open() throws IOException {
        Path file = TestParquet.write(scratch.resolve("data/part-0.parquet"), GROUPS * 100);
        dataset = Dataset.only(ManifestPlanner.plan(List.of(file.toString()), (done, total) -> {}));
        order = dataset.order(new OrderSettings(7, 1, 50, 2, Shuffle.LANE, Tail.DROP));
        content = new Content(dataset, List.of(), TransformChain.empty());
        store = RowGroupStore.open(scratch.resolve("cache"), 1 << 30, allocator);
        lane = stream(order).lane(0);
    }

    private Materializer stream(Order of) {
        return new Materializer(
                content,
                of,
                dataset.epochs(of),
                new StoredRowGroups(content, store, new Decoders(Runnable::run)),
                Runnable::run,
                damaged::add);
    }

    @AfterEach
    void nothingLeaks() throws Exception {
        lane.close();
        store.close();
        store.ended().toCompletableFuture().get();
        allocator.close();
    }

    @Test
    void aStepIsMadeAgainFromATruncatedFile() throws Exception {
        assertThat(ids(0)).isEqualTo(expected(0));

        files().forEach(DamagedCacheTest::truncate);

        assertThat(ids(1)).isEqualTo(expected(1));
        assertThat(store.stats().damaged()).isPositive();
        assertThat(damaged).as("steps served before are right").isEmpty();
    }

    @Test
    void aStepIsMadeAgainFromAChangedFile() throws Exception {
        for (long position = 0; position < order.steps(); position++) {
            assertThat(ids(position)).isEqualTo(expected(position));

            files().forEach(DamagedCacheTest::flipAll);
        }
        assertThat(store.stats().damaged()).isPositive();
    }

    /** Whatever number of lanes and windows they concern. */
    @Test
    void truncatedFilesOfAllLanesAreFoundAtOnce() throws Exception {
        Materializer stream =
                stream(dataset.order(new OrderSettings(7, 3, 30, 2, Shuffle.LANE, Tail.DROP)));
        List<LaneWindows> lanes = List.of(stream.lane(0), stream.lane(1), stream.lane(2));
        gather(stream, lanes, 0).close();

        files().forEach(DamagedCacheTest::truncate);

        assertThatThrownBy(() -> gather(stream, lanes, 1))
                .isInstanceOf(DamagedRowGroupException.class);
        gather(stream, lanes, 1).close();
        lanes.forEach(LaneWindows::close);
    }

    private StepBatch gather(Materializer stream, List<LaneWindows> lanes, long position) {
        try (StepSelection selection = stream.selection(0, lanes.size())) {
            for (LaneWindows each : lanes) {
                each.prepare(position).join();
                each.select(position, selection);
            }
            return selection.gather(allocator);
        }
    }

    @Test
    void theStepsGatheredFromAChangedFileAreNamed() throws Exception {
        ids(0);
        ids(1);

        files().forEach(DamagedCacheTest::flip);
        // Another epoch closes the windows of this one, which triggers the checks of their files.
        long next = order.steps();
        lane.prepare(next).join();

        DamagedSteps steps = damaged.poll(10, TimeUnit.SECONDS);
        assertThat(steps.epoch()).isZero();
        assertThat(steps.from()).isZero();
        assertThat(steps.to()).isEqualTo(1);
        assertThat(steps.cause()).contains(".arrow has the CRC32C");
        assertThat(ids(next)).isEqualTo(expected(next));
    }

    private List<Long> ids(long position) {
        CompletableFuture<StepBatch> made =
                Retries.ofDamaged(
                        () ->
                                lane.prepare(position)
                                        .thenApply(ready -> lane.gather(position, allocator)));
        try (StepBatch batch = made.join()) {
            BigIntVector ids = (BigIntVector) batch.root().getVector("id");
            return Stream.iterate(0, i -> i + 1).limit(50).map(ids::get).toList();
        }
    }

    private List<Long> expected(long position) {
        long steps = order.steps();
        var plan = order.step(Math.floorDiv(position, steps), Math.floorMod(position, steps));
        return Stream.iterate(0, i -> i + 1).limit(50).map(i -> plan.sample(0, i)).toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(scratch.resolve("cache"))) {
            return files.filter(file -> file.toString().endsWith(".arrow")).toList();
        }
    }

    private static void truncate(Path file) {
        change(file, channel -> channel.truncate(channel.size() - 100));
    }

    private static void flip(Path file) {
        change(
                file,
                channel -> {
                    ByteBuffer one = ByteBuffer.allocate(1);
                    channel.read(one, 8);
                    one.put(0, (byte) ~one.get(0));
                    channel.write(one.flip(), 8);
                });
    }

    private static void flipAll(Path file) {
        change(
                file,
                channel -> {
                    ByteBuffer all = ByteBuffer.allocate((int) channel.size());
                    channel.read(all, 0);
                    for (int i = 0; i < all.limit(); i++) {
                        all.put(i, (byte) ~all.get(i));
                    }
                    channel.write(all.flip(), 0);
                });
    }

    private interface Change {
        void apply(FileChannel channel) throws IOException;
    }

    private static void change(Path file, Change change) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            change.apply(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
