package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.DigestComparison;
import io.lockstep.dataset.EpochTable;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Transport;
import io.lockstep.run.SinkEntry;
import io.lockstep.testing.OwnThreads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes that move between the task managers of a job while it serves trainers. */
@Timeout(180)
class LaneMovesJobTest {

    private static final List<Integer> ALL = List.of(0, 1, 2, 3);

    private final InMemoryReporter metrics = InMemoryReporter.create();

    @RegisterExtension
    private final TrainingCluster flink =
            new TrainingCluster(2, 1, metrics.addToConfiguration(new Configuration()));

    @Test
    void stepsAreThoseOfAnUndisturbedRunWhereverLanesGoMeanwhile(TestJob job) throws Exception {
        TestJob undisturbed = job.withRun("undisturbed");
        JobClient other = undisturbed.start(2);
        takeAll(undisturbed);
        other.getJobExecutionResult().get();

        JobClient running = job.start(2);
        try (TestTrainer first = job.trainer("launch", 0, 2, Transport.SHARED_MEMORY);
                TestTrainer second = job.trainer("launch", 1, 2, Transport.FLIGHT)) {
            long steps = job.order("train").steps();
            CompletableFuture<Void> moving = CompletableFuture.completedFuture(null);
            EpochTable table = EpochTable.constant(steps, steps, "");
            for (long position = 0; position < table.stepsOfFirst(2); position++) {
                if (position % 3 == 0 && moving.isDone()) {
                    // Rethrows the failure of an earlier move.
                    moving.join();
                    moving = move(job, position);
                }
                EpochTable.Epoch at = table.at(position);
                long epoch = at.epoch();
                long step = at.step(position);
                assertThat(first.step("train", epoch, step))
                        .isEqualTo(job.expected("train", 0, 2, epoch, step));
                assertThat(second.step("train", epoch, step))
                        .isEqualTo(job.expected("train", 2, 4, epoch, step));
            }
            moving.join();
            first.finish();
            second.finish();
        }
        running.getJobExecutionResult().get();

        DigestComparison comparison =
                DigestComparison.of(
                        new DigestArchive(undisturbed.run()), new DigestArchive(job.run()));
        assertThat(comparison.difference()).isNull();
        assertThat(comparison.lanesCompared()).isEqualTo(2 * job.order("train").steps() * 4);
        assertThat(comparison.onlyInFirst()).isEmpty();
        assertThat(comparison.onlyInSecond()).isEmpty();
    }

    /** Moves one lane to the other side, all to one reader, and half of them back. */
    private static CompletableFuture<Void> move(TestJob job, long round) {
        return OwnThreads.run(
                () -> {
                    job.move(Map.of("train", List.of((int) round % 4)), (int) round % 2);
                    job.move(Map.of("train", ALL), (int) (round + 1) % 2);
                    job.move(Map.of("train", List.of(0, 3)), 0);
                });
    }

    private static void takeAll(TestJob job) throws Exception {
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            for (long epoch = 0; epoch < 2; epoch++) {
                for (long step = 0; step < job.order("train").steps(); step++) {
                    trainer.step("train", epoch, step);
                }
            }
            trainer.finish();
        }
    }

    @Test
    void aReaderWithoutLanesHoldsNothingAndTakesThemUpAgain(TestJob job) throws Exception {
        JobClient running = job.start(2);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            trainer.step("eval", 0, 0);

            job.move(Map.of("train", ALL, "eval", ALL), 1);

            CommonTestUtils.waitUntilCondition(
                    () ->
                            job.run().readSinks().stream()
                                    .map(SinkEntry::lanes)
                                    .toList()
                                    .equals(List.of(Map.of(), Map.of("train", ALL, "eval", ALL))));
            assertThat(trainer.stats().get(0))
                    .returns(0, Reply.Stats::connections)
                    .returns(0L, Reply.Stats::held);
            CommonTestUtils.waitUntilCondition(() -> bytesOfSteps(running).contains(0L));
            assertThat(trainer.step("train", 0, 1)).isEqualTo(job.expected("train", 0, 4, 0, 1));

            job.move(Map.of("train", List.of(0, 1)), 0);
            assertThat(trainer.step("train", 0, 2)).isEqualTo(job.expected("train", 0, 4, 0, 2));
            assertThat(trainer.step("eval", 0, 1)).isEqualTo(job.expected("eval", 0, 4, 0, 1));
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    private List<?> bytesOfSteps(JobClient running) {
        return metrics.findMetrics(running.getJobID(), "stepBytesInUse").values().stream()
                .map(metric -> ((Gauge<?>) metric).getValue())
                .toList();
    }

    /** The reader that has the lanes, and the one that gets half of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aTaskManagerThatIsKilledInAMoveLosesNoLane(int victim, TestJob job, MiniCluster cluster)
            throws Exception {
        JobClient running = job.start(2);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            CompletableFuture<Void> moves =
                    OwnThreads.run(
                            () -> {
                                for (int i = 0; i < 20; i++) {
                                    job.move(Map.of("train", ALL), i % 2);
                                }
                            });
            trainer.step("train", 0, 1);
            cluster.terminateTaskManager(victim).get();
            cluster.startTaskManager();

            for (long step = 2; step < job.order("train").steps(); step++) {
                assertThat(trainer.step("train", 0, step))
                        .isEqualTo(job.expected("train", 0, 4, 0, step));
            }
            moves.join();
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void aSavepointAmidMovesGoesOnWithTheLanesDealtAnew(TestJob job) throws Exception {
        JobClient running = job.start(2);
        String savepoint;
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            job.move(Map.of("train", ALL), 1);
            CompletableFuture<Void> moving =
                    OwnThreads.run(() -> job.move(Map.of("train", ALL), 0));
            savepoint = job.stopWithSavepoint(running);

            JobClient restored = job.start(2, savepoint);
            for (long step = 1; step < job.order("train").steps(); step++) {
                assertThat(trainer.step("train", 0, step))
                        .isEqualTo(job.expected("train", 0, 4, 0, step));
            }
            moving.join();
            trainer.finish();
            restored.getJobExecutionResult().get();
        }
    }

    @Test
    void lanesThatDoNotFitStayWhereTheyAre(TestJob job) throws Exception {
        // Enough for a reader's half of the lanes of both streams, but not for all lanes of one
        // besides.
        JobClient running = job.stepBytes(2_000).start(2);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);

            assertThatThrownBy(() -> job.move(Map.of("train", List.of(0, 1)), 1))
                    .isInstanceOf(HandoffException.class)
                    .hasMessageContaining(
                            "reader 1 cannot take lanes 0, 1 of the stream 'train': one step of"
                                    + " each of the 6 lanes of one task takes");

            assertThat(trainer.step("train", 0, 1)).isEqualTo(job.expected("train", 0, 4, 0, 1));
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }
}
