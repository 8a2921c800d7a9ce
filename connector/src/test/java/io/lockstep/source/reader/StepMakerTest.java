package io.lockstep.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.materialize.DamageListener;
import io.lockstep.materialize.Decoders;
import io.lockstep.materialize.Materializer;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.LaneStep;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.enumerator.StreamSealer;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import io.lockstep.testing.TestParquet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which wanted steps are made. Everything happens on the test's own thread. */
class StepMakerTest {

    private static final LaneSplit LANE = new LaneSplit("train", 0);

    @TempDir private Path scratch;

    @Test
    void aWantOfAGenerationThatHasEndedIsTooLate() throws Exception {
        ReadyQueue queue = new ReadyQueue();
        try (Lane lane = new Lane(queue, new RootAllocator())) {
            StepMaker maker = lane.maker;
            maker.want(List.of(new Want(LANE, 1, 0, 2)));
            List<LaneStep> made = queue.take();
            assertThat(made).extracting(LaneStep::position).containsExactly(0L, 1L);
            maker.forget(1);
            made.forEach(LaneStep::close);

            maker.want(List.of(new Want(LANE, 1, 0, 2)));
            assertThat(queue.take()).isEmpty();

            maker.want(List.of(new Want(LANE, 2, 0, 1)));
            List<LaneStep> next = queue.take();
            assertThat(next).extracting(LaneStep::generation).containsExactly(2L);
            maker.stop();
            next.forEach(LaneStep::close);
            assertThat(maker.usedBytes()).isZero();
        }
    }

    /** As the JVM throws one where a mapped file was truncated. */
    @Test
    void anErrorWhileAStepIsMadeFailsTheReader() throws Exception {
        AllocationListener broken =
                new AllocationListener() {
                    @Override
                    public void onPreAllocation(long size) {
                        throw new InternalError("a fault occurred in an unsafe memory access");
                    }
                };
        ReadyQueue queue = new ReadyQueue();
        try (Lane lane = new Lane(queue, new RootAllocator(broken, Long.MAX_VALUE))) {
            lane.maker.want(List.of(new Want(LANE, 1, 0, 2)));
            assertThatThrownBy(queue::take)
                    .isInstanceOf(StepFailedException.class)
                    .hasRootCauseInstanceOf(InternalError.class);
            lane.maker.stop();
        }
    }

    /** A maker that has one lane. */
    private final class Lane implements AutoCloseable {

        private final SharedStores.Hold store;
        private final StepMaker maker;

        Lane(ReadyQueue queue, BufferAllocator allocator) throws Exception {
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
                            new ByteBudget(1 << 20),
                            Runnable::run,
                            new StepMemory(allocator),
                            false);
            Materializer stream =
                    SealedStreams.load(
                            run,
                            spec,
                            sealed,
                            store.store(),
                            new Decoders(Runnable::run),
                            Runnable::run,
                            DamageListener.NONE);
            maker.add(LANE, stream.lane(LANE.lane()), stream.stepBytes());
        }

        @Override
        public void close() throws Exception {
            maker.close();
            store.close();
        }
    }

    private StreamSpec spec() throws Exception {
        Path file = TestParquet.write(scratch.resolve("data/part-0.parquet"), 400);
        OrderSettings order = new OrderSettings(7, 2, 4, 2, Shuffle.LANE, Tail.DROP);
        return new StreamSpec("train", List.of(file.toString()), List.of(), order, 1);
    }
}
