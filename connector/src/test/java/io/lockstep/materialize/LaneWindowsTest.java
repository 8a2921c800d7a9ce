package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import io.lockstep.cache.Damage;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.dataset.Dataset;
import io.lockstep.dataset.EpochTable;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import io.lockstep.testing.TestParquet;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the steps of lanes with the order row by row, and checks that all pins are released. */
class LaneWindowsTest {

    private static final int GROUP_ROWS = 100;

    @TempDir private Path scratch;

    private final BufferAllocator allocator = new RootAllocator();
    private CountedPins pins;
    private Order order;
    private Materializer stream;

    @AfterEach
    void nothingIsPinnedAndNoMemoryIsLeft() {
        assertThat(pins.held).as("pins by row group").isEmpty();
        assertThat(allocator.getAllocatedMemory()).isZero();
        allocator.close();
    }

    @Test
    void everyStepHoldsTheRowsOfTheOrder() throws Exception {
        open(20, 4, 40, 2, Tail.DROP);
        try (LaneWindows lane = stream.lane(1)) {
            for (long position = 0; position < 2 * order.steps(); position++) {
                assertStep(lane, 1, position);
                lane.prefetchAfter(position);
            }
        }
    }

    @Test
    void aStepReachesIntoSeveralWindows() throws Exception {
        open(12, 2, 2 * 250, 1, Tail.DROP);
        try (LaneWindows lane = stream.lane(0)) {
            assertStep(lane, 0, 0);
            // 250 rows of windows of one row group each, of which the first may be cut.
            assertThat(pins.held.size()).isBetween(3, 4);
        }
    }

    @Test
    void theLastStepIsFilledUpWithWeightZero() throws Exception {
        open(3, 2, 2 * 64, 2, Tail.PAD);
        assertThat(order.steps()).isEqualTo(3);
        try (LaneWindows lane = stream.lane(1)) {
            assertThat(assertStep(lane, 1, 0)).isZero();
            // 150 rows of the lane fill two steps of 64 rows and 22 rows of the third.
            assertThat(assertStep(lane, 1, 2)).isEqualTo(64 - 22);
        }
    }

    @Test
    void aLaneShorterThanAStepComesRoundMoreThanOnce() throws Exception {
        open(1, 2, 2 * 120, 2, Tail.PAD);
        try (LaneWindows lane = stream.lane(0)) {
            assertThat(assertStep(lane, 0, 0)).isEqualTo(120 - 50);
            assertThat(assertStep(lane, 0, 1)).isEqualTo(120 - 50);
        }
    }

    @Test
    void stepsMayBePreparedInAnyOrder() throws Exception {
        open(20, 2, 40, 2, Tail.DROP);
        try (LaneWindows lane = stream.lane(0)) {
            for (long position : new long[] {40, 7, 49, 0, 48, 99, 50, 12, 12, 3}) {
                assertStep(lane, 0, position);
            }
        }
    }

    @Test
    void windowsThatAStepDoesNotNeedAreClosed() throws Exception {
        open(20, 2, 40, 2, Tail.DROP);
        try (LaneWindows lane = stream.lane(0)) {
            assertStep(lane, 0, 0);
            lane.prefetchAfter(0);
            Map<Integer, Integer> withNext = new HashMap<>(pins.held);
            assertStep(lane, 0, 1);
            assertThat(pins.held).as("the next window is kept").isEqualTo(withNext);
            assertStep(lane, 0, 40);
            assertThat(pins.held.keySet()).doesNotContainAnyElementsOf(withNext.keySet());
        }
    }

    @Test
    void anotherEpochClosesTheWindowsOfTheFormer() throws Exception {
        open(20, 2, 40, 2, Tail.DROP);
        try (LaneWindows lane = stream.lane(0)) {
            assertStep(lane, 0, order.steps() - 1);
            int pinnedBefore = pins.opened;
            assertStep(lane, 0, order.steps());
            assertThat(pins.opened).isGreaterThan(pinnedBefore);
            assertThat(pins.held.size()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void anEpochHasTheStepsThatTheTableSays() throws Exception {
        open(20, 2, 40, 2, Tail.DROP, EpochTable.constant(3, 1, "a").from(2, 5, 1, "b"));
        try (LaneWindows lane = stream.lane(0)) {
            assertThat(lane.epochAt(7).epoch()).isEqualTo(2);
            for (long position : new long[] {2, 3, 5, 6, 10, 11}) {
                assertStep(lane, 0, position);
            }
        }
    }

    @Test
    void aFailureOfOneRowGroupGivesTheOthersBack() throws Exception {
        open(12, 2, 2 * 250, 2, Tail.DROP);
        int broken = order.step(0, 0).rowGroup(0, 0);
        pins.broken = broken;
        try (LaneWindows lane = stream.lane(0)) {
            assertThatThrownBy(() -> lane.prepare(0).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCause(CountedPins.BROKEN);
            lane.close();
            assertThat(pins.held).isEmpty();
        }
    }

    @Test
    void windowsThatOpenAfterTheLaneWasClosedAreClosed() throws Exception {
        open(12, 2, 40, 2, Tail.DROP);
        pins.delayed = new CompletableFuture<>();
        LaneWindows lane = stream.lane(0);
        CompletableFuture<Void> prepared = lane.prepare(0);
        lane.close();
        pins.delayed.complete(null);
        prepared.join();
        assertThat(pins.held).isEmpty();
    }

    @Test
    void lanesShareASelectionAndTheRowGroupsInIt() throws Exception {
        open(3, 4, 4 * 10, 8, Tail.DROP);
        try (LaneWindows first = stream.lane(0);
                LaneWindows second = stream.lane(1);
                StepSelection selection = stream.selection(0, 2)) {
            first.prepare(0).join();
            second.prepare(0).join();
            first.select(0, selection);
            assertThatThrownBy(() -> selection.gather(allocator))
                    .hasMessage("10 of 20 rows of the step are selected");
            second.select(0, selection);
            try (StepBatch batch = selection.gather(allocator)) {
                StepPlan plan = order.step(0, 0);
                assertRows(batch, plan, 0, 0);
                assertRows(batch, plan, 1, 10);
            }
        }
    }

    @Test
    void aSelectionOutlivesTheNextPrepareAndItsLane() throws Exception {
        open(20, 2, 40, 2, Tail.DROP);
        try (StepSelection selection = stream.selection(0, 1)) {
            try (LaneWindows lane = stream.lane(0)) {
                lane.prepare(0).join();
                lane.select(0, selection);
                lane.prepare(45).join();
            }
            try (StepBatch batch = selection.gather(allocator)) {
                assertRows(batch, order.step(0, 0), 0, 0);
            }
            assertThat(pins.held).isNotEmpty();
        }
        assertThat(pins.held).isEmpty();
    }

    @Test
    void sampleIdsCountFromTheDatasetsFirst() throws Exception {
        open(3, 1, 10, 2, Tail.DROP);
        Dataset later = new Dataset(stream.content().dataset().manifest(), 1000);
        Content content = new Content(later, List.of(), TransformChain.empty());
        Materializer shifted =
                new Materializer(content, order, stream.table(), pins, Runnable::run);
        try (LaneWindows lane = shifted.lane(0)) {
            lane.prepare(0).join();
            try (StepBatch batch = lane.gather(0, allocator)) {
                UInt8Vector samples = (UInt8Vector) batch.root().getVector(Wire.SAMPLE);
                assertThat(samples.get(0)).isEqualTo(1000 + order.step(0, 0).sample(0, 0));
            }
        }
    }

    /** Returns the number of padding rows. */
    private int assertStep(LaneWindows lane, int number, long position) {
        EpochTable.Epoch epoch = stream.table().at(position);
        lane.prepare(position).join();
        try (StepBatch batch = lane.gather(position, allocator)) {
            StepPlan plan = order.step(epoch.epoch(), epoch.step(position));
            return assertRows(batch, plan, number, 0);
        }
    }

    private int assertRows(StepBatch batch, StepPlan plan, int lane, int from) {
        VectorSchemaRoot root = batch.root();
        BigIntVector ids = (BigIntVector) root.getVector("id");
        UInt8Vector samples = (UInt8Vector) root.getVector(Wire.SAMPLE);
        UInt1Vector weights = (UInt1Vector) root.getVector(Wire.WEIGHT);
        int padded = 0;
        for (int place = 0; place < order.settings().perLane(); place++) {
            long sample = plan.sample(lane, place);
            assertThat(samples.get(from + place)).as("place %d", place).isEqualTo(sample);
            assertThat(ids.get(from + place)).isEqualTo(sample);
            assertThat(weights.get(from + place) == 0).isEqualTo(plan.isPadding(lane, place));
            padded += plan.isPadding(lane, place) ? 1 : 0;
        }
        return padded;
    }

    private void open(int groups, int lanes, int batch, int window, Tail tail) throws IOException {
        open(groups, lanes, batch, window, tail, null);
    }

    private void open(int groups, int lanes, int batch, int window, Tail tail, EpochTable table)
            throws IOException {
        Path file = TestParquet.write(scratch.resolve("data/part-0.parquet"), groups * GROUP_ROWS);
        Dataset dataset =
                Dataset.only(ManifestPlanner.plan(List.of(file.toString()), (done, total) -> {}));
        order = dataset.order(new OrderSettings(7, lanes, batch, window, Shuffle.LANE, tail));
        Content content = new Content(dataset, List.of(), TransformChain.empty());
        pins = new CountedPins(new DirectRowGroups(content, allocator));
        stream =
                new Materializer(
                        content,
                        order,
                        table == null ? dataset.epochs(order) : table,
                        pins,
                        Runnable::run);
    }

    /** Counts holds; one row group may fail, and all may be delayed. */
    private static final class CountedPins implements RowGroupSource {

        static final IOException BROKEN = new IOException("the disk is gone");

        private final RowGroupSource rowGroups;
        private final Map<Integer, Integer> held = new TreeMap<>();
        private int opened;
        private int broken = -1;
        private CompletableFuture<Void> delayed = CompletableFuture.completedFuture(null);

        CountedPins(RowGroupSource rowGroups) {
            this.rowGroups = rowGroups;
        }

        @Override
        public CompletableFuture<PinnedRowGroup> pin(int rowGroup) {
            if (rowGroup == broken) {
                return CompletableFuture.failedFuture(BROKEN);
            }
            return delayed.thenCompose(now -> rowGroups.pin(rowGroup))
                    .thenApply(pin -> counted(rowGroup, pin));
        }

        private PinnedRowGroup counted(int rowGroup, PinnedRowGroup pin) {
            opened++;
            held.merge(rowGroup, 1, Integer::sum);
            return new PinnedRowGroup() {
                @Override
                public VectorSchemaRoot root() {
                    return pin.root();
                }

                @Override
                public long bytes() {
                    return pin.bytes();
                }

                @Override
                public void check(Check check) {
                    pin.check(check);
                }

                @Override
                public void onDamage(Consumer<Damage> listener) {
                    pin.onDamage(listener);
                }

                @Override
                public void close() {
                    pin.close();
                    held.computeIfPresent(
                            rowGroup, (group, count) -> count == 1 ? null : count - 1);
                }
            };
        }

        @Override
        public boolean hasRoomFor(long bytes) {
            return true;
        }

        @Override
        public boolean hasSpareRoomFor(long bytes) {
            return true;
        }
    }
}
