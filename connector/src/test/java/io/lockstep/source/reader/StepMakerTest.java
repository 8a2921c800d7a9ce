package io.lockstep.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.batch.StepBatch;
import io.lockstep.digest.StepDigests;
import io.lockstep.materialize.DamageListener;
import io.lockstep.materialize.Decoders;
import io.lockstep.materialize.LaneWindows;
import io.lockstep.materialize.Materializer;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.GroupStep;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.enumerator.StreamSealer;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import io.lockstep.testing.TestParquet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which wanted steps are made. */
@Timeout(120)
class StepMakerTest {

    private static final int LANES = 4;
    private static final LaneGroup ALL = new LaneGroup(1, 0, "train", List.of(0, 1, 2, 3));

    /** The bytes of a few steps. */
    private static final long LIMIT = 20_000;

    @TempDir private Path scratch;

    private ReadyQueue queue = new ReadyQueue();

    @Test
    void aWantOfAGenerationThatHasEndedIsTooLate() throws Exception {
        try (Lanes lanes = new Lanes(new RootAllocator())) {
            StepMaker maker = lanes.maker;
            maker.want(List.of(new Want(ALL, 0, 2)));
            List<GroupStep> made = queue.take();
            assertThat(made).extracting(GroupStep::position).containsExactly(0L, 1L);
            maker.forget(1);
            made.forEach(GroupStep::close);

            maker.want(List.of(new Want(ALL, 0, 2)));
            assertThat(queue.take()).isEmpty();

            LaneGroup next = new LaneGroup(2, 0, "train", List.of(0));
            maker.want(List.of(new Want(next, 0, 1)));
            List<GroupStep> later = queue.take();
            assertThat(later).extracting(GroupStep::group).containsExactly(next);
            later.forEach(GroupStep::close);
        }
    }

    /** The error that the JVM throws if a mapped file was truncated. */
    @Test
    void anErrorWhileAStepIsMadeFailsTheReader() throws Exception {
        AllocationListener broken =
                new AllocationListener() {
                    @Override
                    public void onPreAllocation(long size) {
                        throw new InternalError("a fault occurred in an unsafe memory access");
                    }
                };
        try (Lanes lanes = new Lanes(new RootAllocator(broken, Long.MAX_VALUE))) {
            lanes.maker.want(List.of(new Want(ALL, 0, 2)));
            assertThatThrownBy(queue::take)
                    .isInstanceOf(StepFailedException.class)
                    .hasRootCauseInstanceOf(InternalError.class);
        }
    }

    /** On the test's thread a step completes only after the steps started after it. */
    @Test
    void stepsThatAreMadeOutOfOrderComeOutInOrder() throws Exception {
        try (Lanes lanes = new Lanes(new RootAllocator())) {
            lanes.maker.want(List.of(new Want(ALL, 3, 12)));
            List<GroupStep> made = queue.take();
            assertThat(made)
                    .extracting(GroupStep::position)
                    .containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
            made.forEach(GroupStep::close);
        }
    }

    @Test
    void aStepHasTheRowsAndDigestsOfItsLanes() throws Exception {
        try (Lanes lanes = new Lanes(new RootAllocator());
                BufferAllocator allocator = new RootAllocator()) {
            lanes.maker.want(List.of(new Want(ALL, 5, 6)));
            try (GroupStep step = queue.take().get(0)) {
                for (int lane = 0; lane < LANES; lane++) {
                    try (LaneWindows alone = lanes.stream.lane(lane)) {
                        alone.prepare(5).join();
                        try (StepBatch batch = alone.gather(5, allocator)) {
                            assertThat(step.digests().orElseThrow().get(lane))
                                    .isEqualTo(StepDigests.lane(batch));
                        }
                    }
                }
            }
        }
    }

    @Test
    void recallingALaneDropsTheStepsOfItsGroup() throws Exception {
        try (Lanes lanes = new Lanes(new RootAllocator())) {
            lanes.maker.want(List.of(new Want(ALL, 0, 4)));
            lanes.maker.remove(new LaneSplit("train", 3));
            assertThat(queue.take()).isEmpty();
            assertThat(lanes.maker.usedBytes()).isZero();

            LaneGroup left = new LaneGroup(1, 0, "train", List.of(0, 1, 2));
            lanes.maker.want(List.of(new Want(left, 0, 2)));
            List<GroupStep> made = queue.take();
            assertThat(made).extracting(GroupStep::group).containsExactly(left, left);
            made.forEach(GroupStep::close);
        }
    }

    @Test
    void otherLanesReplaceAGroupAndItsMissingStepsAreMadeAgain() throws Exception {
        LaneGroup half = new LaneGroup(1, 0, "train", List.of(0, 1));
        try (Lanes lanes = new Lanes(new RootAllocator())) {
            lanes.maker.want(List.of(new Want(ALL, 0, 2)));
            lanes.maker.want(List.of(new Want(half, 0, 2)));
            List<GroupStep> made = queue.take();
            assertThat(made).extracting(GroupStep::group).containsExactly(half, half);
            made.forEach(GroupStep::close);
        }
    }

    @Test
    void aGroupWaitsForItsLastLane() throws Exception {
        LaneSplit last = new LaneSplit("train", 3);
        try (Lanes lanes = new Lanes(new RootAllocator())) {
            lanes.maker.remove(last);
            lanes.maker.want(List.of(new Want(ALL, 0, 1)));
            assertThat(queue.take()).isEmpty();
            lanes.maker.add(last, lanes.stream);
            List<GroupStep> made = queue.take();
            assertThat(made).extracting(GroupStep::position).containsExactly(0L);
            made.forEach(GroupStep::close);
        }
    }

    @Test
    void stepsAheadOfUseWaitForMemory() throws Exception {
        long limit = 4 * bytesOfAStep(ALL);
        BufferAllocator allocator = new StepMemory(limit).allocator();
        try (Lanes lanes = new Lanes(allocator, Runnable::run, limit)) {
            Set<Long> served = new TreeSet<>();
            List<GroupStep> held = new ArrayList<>();
            for (long next = 0; next < 20; next++) {
                lanes.maker.want(List.of(new Want(ALL, next, 20)));
                held.addAll(queue.take());
                for (GroupStep step : List.copyOf(held)) {
                    if (!step.isWaiting()) {
                        held.remove(step);
                    } else if (step.position() == next) {
                        served.add(next);
                        held.remove(step);
                        step.close();
                    }
                }
            }
            assertThat(served).hasSize(20);
            assertThat(allocator.getPeakMemoryAllocation()).isLessThanOrEqualTo(limit);
        }
    }

    /** Else the steps that a slow trainer leaves in the server block the other trainers. */
    @Test
    void stepsAheadOfUseMakeRoomForTheFirstStepOfAnotherGroup() throws Exception {
        LaneGroup slow = new LaneGroup(1, 0, "train", List.of(0, 1));
        LaneGroup other = new LaneGroup(1, 1, "train", List.of(2, 3));
        long limit = 5 * bytesOfAStep(slow);
        BufferAllocator allocator = new StepMemory(limit).allocator();
        try (Lanes lanes = new Lanes(allocator, Runnable::run, limit)) {
            lanes.maker.want(List.of(new Want(slow, 0, 40)));
            List<GroupStep> held = inOrder(queue.take());
            lanes.maker.want(List.of(new Want(other, 5, 6)));
            List<GroupStep> needed = queue.take();
            assertThat(needed).extracting(GroupStep::group).contains(other);
            assertThat(held.get(0).claim()).isTrue();
            GroupStep furthest = held.get(held.size() - 1);
            assertThat(furthest.claim()).isFalse();

            lanes.maker.want(List.of(Want.none(other)));
            needed.forEach(GroupStep::close);
            List<GroupStep> again = queue.take();
            assertThat(again).extracting(GroupStep::position).contains(furthest.position());
            held.forEach(GroupStep::close);
            again.forEach(GroupStep::close);
            assertThat(allocator.getPeakMemoryAllocation()).isLessThanOrEqualTo(limit);
        }
    }

    /** After a rewind, as after a lost reply, the steps that are held are not the first. */
    @Test
    void stepsAheadOfUseMakeRoomAfterARewind() throws Exception {
        long limit = 3 * bytesOfAStep(ALL);
        try (Lanes lanes = new Lanes(new StepMemory(limit).allocator(), Runnable::run, limit)) {
            lanes.maker.want(List.of(new Want(ALL, 20, 50)));
            List<GroupStep> held = queue.take();
            lanes.maker.want(List.of(new Want(ALL, 3, 50)));
            List<GroupStep> first = queue.take();
            assertThat(first).extracting(GroupStep::position).contains(3L);
            assertThat(held).extracting(GroupStep::isWaiting).contains(false);
            held.forEach(GroupStep::close);
            first.forEach(GroupStep::close);
        }
    }

    private static List<GroupStep> inOrder(List<GroupStep> steps) {
        return steps.stream().sorted(Comparator.comparingLong(GroupStep::position)).toList();
    }

    @Test
    void aStepThatNeverFitsIsRejectedWithTheNumbers() throws Exception {
        long bytes = bytesOfAStep(ALL);
        for (long budget : new long[] {bytes - 64, 1 << 20}) {
            BufferAllocator allocator = new StepMemory(bytes - 64).allocator();
            try (Lanes lanes = new Lanes(allocator, Runnable::run, budget)) {
                lanes.maker.want(List.of(new Want(ALL, 0, 10)));
                assertThatThrownBy(queue::take)
                        .hasCauseInstanceOf(UserException.class)
                        .hasMessageContaining(
                                "a step of lanes 0, 1, 2, 3 of the stream 'train' needs")
                        .hasMessageContaining("raise it");
            }
            queue = new ReadyQueue();
        }
    }

    @Test
    void firstStepsThatDoNotFitTogetherAreRejected() throws Exception {
        LaneGroup one = new LaneGroup(1, 0, "train", List.of(0, 1));
        LaneGroup two = new LaneGroup(1, 1, "train", List.of(2, 3));
        long limit = 2 * bytesOfAStep(one) - 64;
        try (Lanes lanes = new Lanes(new StepMemory(limit).allocator(), Runnable::run, limit)) {
            lanes.maker.want(List.of(new Want(one, 0, 1)));
            List<GroupStep> held = queue.take();
            lanes.maker.want(List.of(new Want(two, 0, 1)));
            assertThatThrownBy(queue::take)
                    .hasCauseInstanceOf(UserException.class)
                    .hasMessageContaining("of the next steps of other ranks and streams");
            held.forEach(GroupStep::close);
        }
    }

    private long bytesOfAStep(LaneGroup group) throws Exception {
        try (Lanes lanes = new Lanes(new RootAllocator())) {
            lanes.maker.want(List.of(new Want(group, 0, 1)));
            try (GroupStep step = queue.take().get(0)) {
                return step.batch().bytes();
            }
        }
    }

    /** After any sequence of events, the finally wanted steps are emitted and no memory leaks. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyInterleavingLeavesNothing(long seed) throws Exception {
        Random random = new Random(seed);
        List<LaneGroup> groups =
                List.of(
                        ALL,
                        new LaneGroup(1, 0, "train", List.of(0, 1)),
                        new LaneGroup(1, 1, "train", List.of(2, 3)),
                        new LaneGroup(1, 0, "train", List.of(1)),
                        new LaneGroup(1, 0, "train", List.of(0, 2, 3)));
        BufferAllocator allocator = new StepMemory(LIMIT).allocator();
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<GroupStep> taken = new ArrayList<>();
        try (Lanes lanes = new Lanes(allocator, pool, LIMIT)) {
            StepMaker maker = lanes.maker;
            for (int i = 0; i < 300; i++) {
                LaneGroup group = groups.get(random.nextInt(groups.size()));
                long from = random.nextInt(20);
                switch (random.nextInt(6)) {
                    case 0 -> {
                        LaneSplit lane = new LaneSplit("train", random.nextInt(LANES));
                        maker.remove(lane);
                        maker.add(lane, lanes.stream);
                    }
                    case 1 -> maker.want(List.of(Want.none(group)));
                    case 2 -> {
                        List<GroupStep> steps = queue.take();
                        steps.forEach(maker::emitted);
                        taken.addAll(steps);
                    }
                    case 3 -> {
                        taken.forEach(GroupStep::close);
                        taken.clear();
                    }
                    default -> maker.want(List.of(new Want(group, from, from + random.nextInt(6))));
                }
            }
            taken.forEach(GroupStep::close);
            queue.take().forEach(GroupStep::close);
            LaneGroup last = new LaneGroup(1, 0, "train", List.of(0, 1, 2));
            maker.want(List.of(new Want(last, 2, 5)));
            List<Long> positions = new ArrayList<>();
            while (positions.size() < 3) {
                queue.await();
                for (GroupStep step : queue.take()) {
                    if (step.group().equals(last)) {
                        // A reclaimed step is made again.
                        if (step.claim()) {
                            positions.add(step.position());
                        }
                        maker.emitted(step);
                    }
                    taken.add(step);
                }
            }
            assertThat(positions).containsExactly(2L, 3L, 4L);
            maker.stop();
            taken.forEach(GroupStep::close);
        } finally {
            pool.shutdown();
        }
        assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(allocator.getAllocatedMemory()).isZero();
        assertThat(allocator.getPeakMemoryAllocation()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void aStepThatOutlivesItsReaderKeepsItsMemory() throws Exception {
        RootAllocator allocator = new RootAllocator();
        GroupStep step;
        try (Lanes lanes = new Lanes(allocator)) {
            lanes.maker.want(List.of(new Want(ALL, 0, 1)));
            step = queue.take().get(0);
            lanes.maker.emitted(step);
        }
        assertThat(step.batch().root().getRowCount()).isEqualTo(8);
        step.close();
        assertThat(allocator.getAllocatedMemory()).isZero();
    }

    /** A maker with four lanes of two rows per step. */
    private final class Lanes implements AutoCloseable {

        private final SharedStores.Hold store;
        private final StepMaker maker;
        private final Materializer stream;

        Lanes(BufferAllocator allocator) throws Exception {
            this(allocator, Runnable::run, 1 << 20);
        }

        /**
         * @param allocator which the maker takes ownership of
         * @param budget bytes of steps
         */
        Lanes(BufferAllocator allocator, Executor pool, long budget) throws Exception {
            RunDirectory run = new RunDirectory(scratch.resolve("run").toString());
            StreamSpec spec = spec();
            StreamInfo sealed =
                    new StreamSealer(run, (done, total) -> {}).seal(List.of(spec), Map.of()).get(0);
            store =
                    SharedStores.hold(
                            run, new CacheSettings(scratch.resolve("cache").toString(), 1 << 20));
            maker =
                    new StepMaker(
                            queue,
                            new ByteBudget(budget),
                            pool,
                            3,
                            new StepMemory(allocator),
                            true);
            stream =
                    SealedStreams.load(
                            run,
                            spec,
                            sealed,
                            store.store(),
                            new Decoders(Runnable::run),
                            Runnable::run,
                            DamageListener.NONE);
            for (int lane = 0; lane < LANES; lane++) {
                maker.add(new LaneSplit("train", lane), stream);
            }
        }

        @Override
        public void close() throws Exception {
            maker.close();
            store.close();
        }
    }

    private StreamSpec spec() throws Exception {
        Path file = scratch.resolve("data/part-0.parquet");
        if (Files.notExists(file)) {
            TestParquet.write(file, 400);
        }
        OrderSettings order = new OrderSettings(7, LANES, 8, 2, Shuffle.LANE, Tail.DROP);
        return new StreamSpec("train", List.of(file.toString()), List.of(), order, 1);
    }
}
