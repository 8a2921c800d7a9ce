package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.batch.StepBatch;
import io.lockstep.cache.RowGroupStore;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.testing.SmallDisk;
import io.lockstep.testing.TestParquet;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prefetched windows give way to windows that are needed. */
class PrefetchTest {

    private static final int LANES = 3;
    private static final int GROUPS = 18;

    /** Three windows of two row groups fit into 1 MB, but not four. */
    private static final String TEXT = "x".repeat(1310);

    private static final long WINDOW_BYTES = 2 * 100 * (TEXT.length() + 20);

    @TempDir private Path scratch;

    private final BufferAllocator allocator = new RootAllocator();
    private Content content;
    private Order order;
    private Materializer stream;
    private RowGroupStore store;
    private List<LaneWindows> lanes;

    @BeforeEach
    void plan() throws IOException {
        Path file =
                TestParquet.write(
                        scratch.resolve("data/part-0.parquet"),
                        "message m { required int64 id; required binary text (STRING); }",
                        GROUPS * 100,
                        (group, i) -> group.append("id", (long) i).append("text", TEXT));
        Dataset dataset =
                Dataset.only(ManifestPlanner.plan(List.of(file.toString()), (done, total) -> {}));
        order = dataset.order(new OrderSettings(7, LANES, 30, 2, Shuffle.LANE, Tail.DROP));
        content = new Content(dataset, List.of(), TransformChain.empty());
    }

    private void open(Path cache, long bytes) throws IOException {
        store = RowGroupStore.open(cache, bytes, allocator);
        stream =
                new Materializer(
                        content,
                        order,
                        content.dataset().epochs(order),
                        new StoredRowGroups(content, store, new Decoders(Runnable::run)),
                        Runnable::run);
        lanes = List.of(stream.lane(0), stream.lane(1), stream.lane(2));
    }

    @AfterEach
    void nothingLeaks() throws Exception {
        lanes.forEach(LaneWindows::close);
        store.close();
        store.ended().toCompletableFuture().get();
        allocator.close();
    }

    @Test
    void inACacheThatOnlyHoldsTheWindowsInUse() throws Exception {
        open(scratch.resolve("cache"), 4 * WINDOW_BYTES);
        assertThatAnEpochIsServed();
    }

    @Test
    void onADiskThatOnlyHoldsTheWindowsInUse() throws Exception {
        Path mount = Files.createDirectory(scratch.resolve("disk"));
        try (SmallDisk disk = SmallDisk.mount(mount)) {
            open(mount, 1 << 30);
            assertThatAnEpochIsServed();
            lanes.forEach(LaneWindows::close);
            store.close();
        }
    }

    @Test
    void windowsInUseAreNotGivenUp() throws Exception {
        open(scratch.resolve("cache"), 2 * WINDOW_BYTES);
        ids(0, 0);
        lanes.get(0).prefetchAfter(0);
        ids(1, 0);
        lanes.get(1).prefetchAfter(0);

        assertThatThrownBy(() -> ids(2, 0)).hasCauseInstanceOf(UserException.class);
        assertThat(ids(0, 1)).isEqualTo(expected(0, 1));
        assertThat(ids(1, 1)).isEqualTo(expected(1, 1));
    }

    private void assertThatAnEpochIsServed() {
        for (long position = 0; position < order.steps(); position++) {
            for (int lane = 0; lane < LANES; lane++) {
                assertThat(ids(lane, position)).isEqualTo(expected(lane, position));
                lanes.get(lane).prefetchAfter(position);
            }
        }
    }

    private List<Long> ids(int lane, long position) {
        lanes.get(lane).prepare(position).join();
        try (StepBatch batch = lanes.get(lane).gather(position, allocator)) {
            BigIntVector ids = (BigIntVector) batch.root().getVector("id");
            List<Long> found = new ArrayList<>();
            for (int i = 0; i < batch.rows(); i++) {
                found.add(ids.get(i));
            }
            return found;
        }
    }

    private List<Long> expected(int lane, long step) {
        var plan = order.step(0, step);
        List<Long> samples = new ArrayList<>();
        for (int i = 0; i < order.settings().perLane(); i++) {
            samples.add(plan.sample(lane, i));
        }
        return samples;
    }
}
