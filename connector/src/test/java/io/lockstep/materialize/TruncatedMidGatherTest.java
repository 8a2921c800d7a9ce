package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.batch.StepBatch;
import io.lockstep.cache.RowGroupStore;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.testing.TestParquet;
import io.lockstep.transform.TransformChain;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cache files that are truncated between the check of their length and the copy of their rows. The
 * copy is compiled by then, so the JVM reports the fault later than it happens.
 */
class TruncatedMidGatherTest {

    private static final int ROWS = 600;
    private static final int PER_STEP = 50;
    private static final int WARM_UP_STEPS = 1500;

    /** Each row takes more than a page. */
    private static final String TEXT = "x".repeat(5000);

    @TempDir private Path scratch;

    private boolean truncating;

    @Test
    void theStepIsMadeAgain() throws Exception {
        AllocationListener truncatesFirst =
                new AllocationListener() {
                    @Override
                    public void onPreAllocation(long size) {
                        if (truncating) {
                            truncating = false;
                            truncateAll();
                        }
                    }
                };
        Path file =
                TestParquet.write(
                        scratch.resolve("data/part-0.parquet"),
                        "message m { required int64 id; required binary text (STRING); }",
                        ROWS,
                        (group, i) -> group.append("id", (long) i).append("text", TEXT + i));
        Dataset dataset =
                Dataset.only(ManifestPlanner.plan(List.of(file.toString()), (done, total) -> {}));
        Order order = dataset.order(new OrderSettings(7, 1, PER_STEP, 2, Shuffle.LANE, Tail.DROP));
        Content content = new Content(dataset, List.of(), TransformChain.empty());
        try (BufferAllocator loading = new RootAllocator();
                BufferAllocator steps = new RootAllocator(truncatesFirst, Long.MAX_VALUE)) {
            RowGroupStore store = RowGroupStore.open(scratch.resolve("cache"), 1 << 30, loading);
            Materializer stream =
                    new Materializer(
                            content,
                            order,
                            dataset.epochs(order),
                            new StoredRowGroups(content, store, new Decoders(Runnable::run)),
                            Runnable::run,
                            DamageListener.NONE);
            try (LaneWindows lane = stream.lane(0)) {
                for (long position = 0; position < WARM_UP_STEPS; position++) {
                    ids(lane, position, steps);
                }
                for (long position = WARM_UP_STEPS; position < WARM_UP_STEPS + 20; position++) {
                    truncating = true;
                    assertThat(ids(lane, position, steps)).isEqualTo(expected(order, position));
                    assertThat(truncating).isFalse();
                }
                assertThat(store.stats().damaged()).isPositive();
            } finally {
                store.close();
                store.ended().toCompletableFuture().get();
            }
        }
    }

    private static List<Long> ids(LaneWindows lane, long position, BufferAllocator allocator) {
        try (StepBatch batch =
                Retries.ofDamaged(
                                () ->
                                        lane.prepare(position)
                                                .thenApply(
                                                        ready -> lane.gather(position, allocator)))
                        .join()) {
            BigIntVector ids = (BigIntVector) batch.root().getVector("id");
            List<Long> found = new ArrayList<>();
            for (int i = 0; i < PER_STEP; i++) {
                found.add(ids.get(i));
            }
            return found;
        }
    }

    private static List<Long> expected(Order order, long position) {
        var plan = order.step(position / order.steps(), position % order.steps());
        List<Long> samples = new ArrayList<>();
        for (int i = 0; i < PER_STEP; i++) {
            samples.add(plan.sample(0, i));
        }
        return samples;
    }

    /** The store deletes damaged files concurrently. */
    private void truncateAll() {
        for (File directory : scratch.resolve("cache").toFile().listFiles(File::isDirectory)) {
            for (File file : directory.listFiles()) {
                truncate(file.toPath());
            }
        }
    }

    private static void truncate(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(4096);
        } catch (NoSuchFileException e) {
            // Deleted.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
