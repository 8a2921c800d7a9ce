package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Transport;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Trainers that request nothing for a long time: the job idles, and its checkpoints continue. */
@Timeout(180)
class SleepingTrainersTest {

    /** The number of checkpoints in an hour at an interval of 30 s. */
    private static final long CHECKPOINTS_OF_AN_HOUR = 120;

    private static final int LANES = 4;

    /**
     * The bytes of a step of all lanes: 16 rows of two columns, one of them of 8 bytes per value
     * like the sample ids, and of weights, each rounded up to 64 bytes.
     */
    private static final long STEP_BYTES = 2 * 128 + 2 * 64;

    /** Temporary memory for the digest of a lane's step, which has four buffers. */
    private static final long DIGEST_BYTES = 4 * 128;

    private final InMemoryReporter metrics = InMemoryReporter.createWithRetainedMetrics();

    @RegisterExtension
    private final TrainingCluster flink =
            new TrainingCluster(1, 1, metrics.addToConfiguration(new Configuration()));

    @Test
    void noCheckpointFailsOrIsLateAndNoneGrows(TestJob job, MiniCluster cluster) throws Exception {
        JobClient running = job.strictCheckpoints().start(1);
        // Flink counts a checkpoint as failed if it triggers it before the tasks run, as may happen
        // at the start.
        awaitCheckpoints(cluster, running, 1);
        long failedAtStart =
                checkpoints(cluster, running).getCounts().getNumberOfFailedCheckpoints();
        awaitCheckpoints(cluster, running, CHECKPOINTS_OF_AN_HOUR);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            Reply.Stats asleep = awaitHeld(trainer, (TestTrainer.AHEAD - 1) * LANES);
            CheckpointStatsSnapshot before = checkpoints(cluster, running);
            awaitCheckpoints(
                    cluster,
                    running,
                    before.getCounts().getNumberOfCompletedCheckpoints() + CHECKPOINTS_OF_AN_HOUR);

            CheckpointStatsSnapshot all = checkpoints(cluster, running);
            assertThat(all.getCounts().getNumberOfFailedCheckpoints()).isEqualTo(failedAtStart);
            assertThat(all.getCounts().getNumberOfRestoredCheckpoints()).isZero();
            // Checkpoints before the lanes were assigned may be smaller; none after them is larger.
            long size = before.getHistory().getLatestCompletedCheckpoint().getStateSize();
            assertThat(size).isPositive();
            assertThat(all.getSummaryStats().getStateSizeStats().getMaximum()).isEqualTo(size);
            assertThat(trainer.stats().get(0).emitted()).isEqualTo(asleep.emitted());

            assertThat(trainer.step("train", 0, 1)).isEqualTo(job.expected("train", 0, 4, 0, 1));
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    /** A trainer that requests steps without end and takes none. */
    @Test
    void buffersEndAtTheBudgetHoweverMuchIsWanted(TestJob job, MiniCluster cluster)
            throws Exception {
        long room = 20;
        JobClient running =
                job.stepBytes(room * STEP_BYTES + DIGEST_BYTES).strictCheckpoints().start(1);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.FLIGHT)) {
            trainer.want(0, 0, 1_000_000);
            Reply.Stats full = awaitHeld(trainer, room * LANES);

            long before =
                    checkpoints(cluster, running).getCounts().getNumberOfCompletedCheckpoints();
            awaitCheckpoints(cluster, running, before + CHECKPOINTS_OF_AN_HOUR);

            assertThat(bytesInUse(running)).isEqualTo(room * STEP_BYTES);
            assertThat(trainer.stats().get(0))
                    .extracting(Reply.Stats::emitted, Reply.Stats::held)
                    .containsExactly(full.emitted(), full.held());
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }

    private static Reply.Stats awaitHeld(TestTrainer trainer, long steps) throws Exception {
        CommonTestUtils.waitUntilCondition(() -> trainer.stats().get(0).held() == steps);
        return trainer.stats().get(0);
    }

    private static void awaitCheckpoints(MiniCluster cluster, JobClient running, long completed)
            throws Exception {
        CommonTestUtils.waitUntilCondition(
                () ->
                        checkpoints(cluster, running).getCounts().getNumberOfCompletedCheckpoints()
                                >= completed);
    }

    private static CheckpointStatsSnapshot checkpoints(MiniCluster cluster, JobClient running)
            throws Exception {
        return cluster.getExecutionGraph(running.getJobID()).get().getCheckpointStatsSnapshot();
    }

    /** The memory of steps that are made but not taken. */
    private long bytesInUse(JobClient running) {
        long bytes = 0;
        for (Map<String, Metric> group :
                metrics
                        .findOperatorMetricGroups(running.getJobID(), "Source: Parquet lanes")
                        .stream()
                        .map(metrics::getMetricsByGroup)
                        .toList()) {
            bytes += ((Gauge<Long>) group.get("stepBytesInUse")).getValue();
        }
        return bytes;
    }
}
