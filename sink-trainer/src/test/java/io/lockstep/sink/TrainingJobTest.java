package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.metrics.MetricNames;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The whole data path, on two task managers of one process, with trainers that pull. */
@Timeout(180)
class TrainingJobTest {

    private final InMemoryReporter metrics = InMemoryReporter.createWithRetainedMetrics();

    @RegisterExtension
    private final TrainingCluster flink =
            new TrainingCluster(2, 1, metrics.addToConfiguration(new Configuration()));

    @Test
    void servesTheOrderToTwoRanksAndEndsWhenBothHaveClosed(TestJob job) throws Exception {
        JobClient running = job.start(2);
        try (TestTrainer first = job.trainer("launch", 0, 2, Transport.SHARED_MEMORY);
                TestTrainer second = job.trainer("launch", 1, 2, Transport.FLIGHT)) {
            for (long epoch = 0; epoch < 2; epoch++) {
                for (long step = 0; step < job.order("train").steps(); step++) {
                    assertThat(first.step("train", epoch, step))
                            .isEqualTo(job.expected("train", 0, 2, epoch, step));
                    assertThat(second.step("train", epoch, step))
                            .isEqualTo(job.expected("train", 2, 4, epoch, step));
                }
            }
            first.finish();
            assertThat(second.step("eval", 0, 0)).isEqualTo(job.expected("eval", 2, 4, 0, 0));
            second.finish();
        }

        assertThat(running.getJobExecutionResult().get()).isNotNull();
        assertThat(job.run().readSinks()).isEmpty();
        assertThat(job.run().readGeneration())
                .hasValueSatisfying(entry -> assertThat(entry.done()).isTrue());
        assertNothingIsLeftIn(job.cache());
    }

    @Test
    void everyServedStepWasEmittedByTheSources(TestJob job) throws Exception {
        JobClient running = job.start(2);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            for (long step = 0; step < job.order("train").steps(); step++) {
                trainer.step("train", 0, step);
            }
            // Back to a step that was already served: it is made again.
            assertThat(trainer.step("train", 0, 3)).isEqualTo(job.expected("train", 0, 4, 0, 3));
            List<Reply.Stats> stats = trainer.stats();
            trainer.finish();
            running.getJobExecutionResult().get();

            long steps = job.order("train").steps();
            assertThat(stats)
                    .hasSize(2)
                    .allSatisfy(each -> assertThat(each.emitted()).isPositive());
            assertThat(sum(stats, Reply.Stats::served)).isEqualTo((steps + 1) * 4);
            assertThat(sum(stats, Reply.Stats::remade)).isGreaterThanOrEqualTo(4);
            // The servers have received exactly the records that the sources count as sent.
            assertThat(recordsOutOfTheSources(running))
                    .isGreaterThanOrEqualTo(sum(stats, Reply.Stats::emitted));
            assertThat(sum(stats, Reply.Stats::emitted))
                    .isGreaterThanOrEqualTo(sum(stats, Reply.Stats::served));
        }
    }

    @Test
    void theFirstStepsOfAnEpochAreMadeBeforeTheyAreAskedFor(TestJob job) throws Exception {
        JobClient running = job.start(2);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            for (long step = 0; step < job.order("train").steps(); step++) {
                trainer.step("train", 0, step);
            }
            long ahead = (TestTrainer.AHEAD - 1) * 4;
            while (sum(trainer.stats(), Reply.Stats::held) < ahead) {
                Thread.onSpinWait();
            }
            long made = sum(trainer.stats(), Reply.Stats::emitted);

            assertThat(made).isEqualTo(job.order("train").steps() * 4 + ahead);
            assertThat(trainer.step("train", 1, 0)).isEqualTo(job.expected("train", 0, 4, 1, 0));
            assertThat(sum(trainer.stats(), Reply.Stats::remade)).isZero();
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void evaluationStartsAgainWheneverATrainerWants(TestJob job) throws Exception {
        JobClient running = job.start(1);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            for (int pass = 0; pass < 3; pass++) {
                for (long step = 0; step < job.order("eval").steps(); step++) {
                    assertThat(trainer.step("eval", 0, step))
                            .isEqualTo(job.expected("eval", 0, 4, 0, step));
                }
                trainer.step("train", 0, pass);
            }
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void whereATaskManagerStopsOnlyItsLanesWait(TestJob job, MiniCluster cluster) throws Exception {
        JobClient running = job.start(2);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            List<String> before = tasks(job);

            cluster.terminateTaskManager(0).get();

            // One task is left; it keeps serving while the other has no slot to restart in.
            int survivor = survivingLane(trainer);
            for (long step = 1; step < job.order("train").steps(); step++) {
                assertThat(trainer.lane("train", survivor, 0, step))
                        .isEqualTo(job.expected("train", survivor, 0, step));
            }
            assertThat(tasks(job)).containsAnyElementsOf(before);

            cluster.startTaskManager();
            for (long step = 1; step < job.order("train").steps(); step++) {
                assertThat(trainer.step("train", 0, step))
                        .isEqualTo(job.expected("train", 0, 4, 0, step));
            }
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void theJobGoesOnUntilTheLastRankHasTakenItsLastBatch(TestJob job) throws Exception {
        JobClient running = job.start(2);
        long steps = job.order("train").steps();
        try (TestTrainer first = job.trainer("launch", 0, 2, Transport.SHARED_MEMORY);
                TestTrainer second = job.trainer("launch", 1, 2, Transport.FLIGHT)) {
            for (long step = 0; step < steps; step++) {
                first.step("train", 0, step);
            }
            first.finish();
            for (long step = 0; step < steps; step++) {
                assertThat(second.step("train", 0, step))
                        .isEqualTo(job.expected("train", 2, 4, 0, step));
            }
            assertThat(running.getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
            second.finish();
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void nothingIsMadeThatNobodyWants(TestJob job) throws Exception {
        JobClient running = job.start(2);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.FLIGHT)) {
            trainer.stream("train");

            assertThat(trainer.stats()).allSatisfy(each -> assertThat(each.emitted()).isZero());
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void anUnknownStreamAndAnOldGenerationAreRefused(TestJob job) throws Exception {
        JobClient running = job.start(1);
        try (TestTrainer old = job.trainer("first", 0, 1, Transport.FLIGHT)) {
            old.step("train", 0, 0);
            try (TestTrainer young = job.trainer("second", 0, 1, Transport.FLIGHT)) {
                assertThat(young.generation()).isEqualTo(2);
                assertThat(young.step("train", 0, 0)).isEqualTo(job.expected("train", 0, 4, 0, 0));
                assertThatThrownBy(() -> old.step("train", 0, 1))
                        .isInstanceOf(HandoffException.class)
                        .hasMessageContaining("generation 2");
                young.finish();
            }
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void aShardThatWasRewrittenAfterPlanningFailsTheJobAndIsNeverServed(TestJob job)
            throws Exception {
        JobClient running = job.start(1);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.FLIGHT)) {
            trainer.stream("train");
            Path shard = job.data().resolve("part-1.parquet");
            Files.copy(
                    job.data().resolve("part-0.parquet"),
                    shard,
                    StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(shard, FileTime.from(Instant.now().plusSeconds(5)));
            Thread asking =
                    new Thread(
                            () -> {
                                try {
                                    trainer.step("train", 0, 0);
                                } catch (Exception | AssertionError expected) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            asking.setDaemon(true);
            asking.start();

            assertThatThrownBy(() -> running.getJobExecutionResult().get())
                    .satisfies(
                            failure ->
                                    assertThat(
                                                    ExceptionUtils.findThrowableWithMessage(
                                                            failure, "part-1.parquet"))
                                            .isPresent());
            assertThat(running.getJobStatus().get()).isEqualTo(JobStatus.FAILED);
            asking.interrupt();
        }
    }

    private static List<String> tasks(TestJob job) throws Exception {
        return job.run().readSinks().stream().map(entry -> entry.task()).toList();
    }

    /** A lane whose server still answers. */
    private static int survivingLane(TestTrainer trainer) throws Exception {
        for (int lane = 0; lane < 4; lane++) {
            if (trainer.answers("train", lane)) {
                return lane;
            }
        }
        throw new AssertionError("no server is left");
    }

    private static long sum(
            List<Reply.Stats> stats, java.util.function.ToLongFunction<Reply.Stats> counter) {
        return stats.stream().mapToLong(counter).sum();
    }

    private long recordsOutOfTheSources(JobClient running) {
        long records = 0;
        for (var group :
                metrics.findOperatorMetricGroups(running.getJobID(), "Source: Parquet lanes")) {
            Metric metric = metrics.getMetricsByGroup(group).get(MetricNames.IO_NUM_RECORDS_OUT);
            records += ((Counter) metric).getCount();
        }
        return records;
    }

    private static void assertNothingIsLeftIn(Path cache) throws Exception {
        try (Stream<Path> left = Files.walk(cache)) {
            assertThat(left.filter(path -> path.toString().endsWith(".arrow"))).isEmpty();
        }
    }
}
