package io.lockstep.materialize;

import static io.lockstep.transform.Table.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.batch.StepBatch;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.cache.RowGroupStore;
import io.lockstep.dataset.Dataset;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.StepDigests;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.order.NoSuchPlaceException;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.testing.TestParquet;
import io.lockstep.transform.Plus;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.registry.TransformRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command makes the same rows as the job, from few row groups and with any transforms. */
class StepRowsTest {

    private static final int[] ALL = {0, 1, 2, 3};

    @TempDir private Path scratch;
    private Dataset dataset;
    private Order order;

    @BeforeEach
    void planADataset() throws IOException {
        Path file =
                TestParquet.write(
                        scratch.resolve("data/part-0.parquet"),
                        "message m { required int64 x; optional binary text (UTF8);"
                                + " required double y; }",
                        1990,
                        (row, i) -> {
                            row.add("x", (long) i);
                            if (i % 3 > 0) {
                                row.add("text", "row " + i);
                            }
                            row.add("y", i / 7.0);
                        });
        dataset = Dataset.only(ManifestPlanner.plan(List.of(file.toString()), (done, total) -> {}));
        order = dataset.order(new OrderSettings(7, 4, 64, 2, Shuffle.LANE, Tail.PAD));
    }

    @Test
    void jobAndCommandMakeTheSameSteps() throws Exception {
        assertSameSteps(new Content(dataset, List.of(), TransformChain.empty()));
        assertSameSteps(new Content(dataset, List.of("text", "x"), TransformChain.empty()));
    }

    @Test
    void transformsRunInBoth() throws Exception {
        Content content = new Content(dataset, List.of("x"), Plus.chain(new Plus("x", 5)));
        assertSameSteps(content);
        try (StepRows rows = StepRows.direct(content, order, 0, 0, ALL)) {
            assertThat(rows.root().getSchema().getFields())
                    .extracting(Field::getName)
                    .containsExactly("x+5", "_sample");
            BigIntVector sums = (BigIntVector) rows.root().getVector("x+5");
            assertThat(sums.get(0)).isEqualTo(order.step(0, 0).sample(0, 0) + 5);
        }
    }

    /** The rows of a lane must not depend on the lanes that one request names. */
    @Test
    void randomTransformsGiveEachLaneTheSameInAnyGroup() throws Exception {
        Content content =
                new Content(
                        dataset,
                        List.of(),
                        TransformRegistry.chain(
                                "train",
                                List.of(
                                        spec("mixup", "{'columns': 'y', 'alpha': 0.3}"),
                                        spec("jitter", "{'columns': 'y', 'sigma': 1}"),
                                        spec("rename", "{'y': 'z'}"))));
        assertSameSteps(content);
        assertThat(digests(content, 0)).isEqualTo(digests(content, 0));
        assertThat(digests(content, 0)).doesNotContainAnyElementsOf(digests(content, 1));
    }

    private List<Digest128> digests(Content content, long epoch) throws Exception {
        try (StepRows rows = StepRows.direct(content, order, epoch, 0, ALL)) {
            return rows.digests();
        }
    }

    @Test
    void aRandomTransformIsNoPartOfTheKeyOfStoredRows() {
        TransformChain jitter =
                TransformRegistry.chain(
                        "train", List.of(spec("jitter", "{'columns': 'y', 'sigma': 1}")));
        Content without = new Content(dataset, List.of(), TransformChain.empty());
        Content with = new Content(dataset, List.of(), jitter);
        assertThat(with.key(0)).isEqualTo(without.key(0));
        assertThat(with.digest()).isNotEqualTo(without.digest());
    }

    @Test
    void whatShapesRowsIsInTheirKey() {
        TransformChain five = Plus.chain(new Plus("x", 5));
        TransformChain six = Plus.chain(new Plus("x", 6));
        assertThat(
                        List.of(
                                new Content(dataset, List.of(), TransformChain.empty()).key(0),
                                new Content(dataset, List.of(), TransformChain.empty()).key(1),
                                new Content(dataset, List.of("x"), TransformChain.empty()).key(0),
                                new Content(dataset, List.of("x"), five).key(0),
                                new Content(dataset, List.of("x"), six).key(0)))
                .doesNotHaveDuplicates();
    }

    @Test
    void onlyTheRowGroupsOfTheLanesAreRead() throws Exception {
        Content content = new Content(dataset, List.of(), TransformChain.empty());
        List<Integer> read = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator()) {
            RowGroupSource direct = new DirectRowGroups(content, allocator);
            RowGroupSource counted =
                    new RowGroupSource() {
                        @Override
                        public CompletableFuture<PinnedRowGroup> pin(int rowGroup) {
                            read.add(rowGroup);
                            return direct.pin(rowGroup);
                        }

                        @Override
                        public boolean hasRoomFor(long bytes) {
                            return true;
                        }

                        @Override
                        public boolean hasSpareRoomFor(long bytes) {
                            return true;
                        }
                    };
            int[] lanes = {2};
            try (StepRows rows = StepRows.read(content, order, counted, 0, 3, lanes, allocator)) {
                assertThat(rows.root().getRowCount()).isEqualTo(16);
            }
        }
        assertThat(read).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void aStepThatDoesNotExistIsRefusedAndLeavesNoMemory() throws Exception {
        Content content = new Content(dataset, List.of(), TransformChain.empty());
        try (BufferAllocator allocator = new RootAllocator()) {
            RowGroupSource direct = new DirectRowGroups(content, allocator);
            long steps = order.steps();
            assertThatThrownBy(
                            () -> StepRows.read(content, order, direct, 0, steps, ALL, allocator))
                    .isInstanceOf(NoSuchPlaceException.class);
        }
    }

    private void assertSameSteps(Content content) throws Exception {
        try (BufferAllocator allocator = new RootAllocator();
                RowGroupStore store =
                        RowGroupStore.open(scratch.resolve("cache"), 1 << 26, allocator);
                Decoders decoders = new Decoders(Runnable::run)) {
            RowGroupSource stored = new StoredRowGroups(content, store, decoders);
            Materializer stream =
                    new Materializer(content, order, dataset.epochs(order), stored, Runnable::run);
            for (long step = 0; step < order.steps(); step += order.steps() - 1) {
                List<Digest128> job = job(stream, step, allocator);
                try (StepRows direct = StepRows.direct(content, order, 0, step, ALL);
                        StepRows fromStore =
                                StepRows.read(content, order, stored, 0, step, ALL, allocator)) {
                    assertThat(direct.digests()).isEqualTo(job);
                    assertThat(fromStore.digests()).isEqualTo(job);
                    assertThat(direct.padded() > 0).isEqualTo(step == order.steps() - 1);
                }
            }
        }
    }

    private static List<Digest128> job(Materializer stream, long position, BufferAllocator memory) {
        List<Digest128> digests = new ArrayList<>();
        for (int number : ALL) {
            try (LaneWindows lane = stream.lane(number);
                    StepSelection selection = stream.selection(0, 1)) {
                lane.prepare(position).join();
                lane.select(position, selection);
                try (StepBatch batch = selection.gather(memory)) {
                    digests.add(StepDigests.lane(batch));
                }
            }
        }
        return digests;
    }
}
