package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.order.Order;
import io.lockstep.protocol.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs restored from a savepoint while the trainers' processes keep running. */
@Timeout(180)
class RestoredJobTest {

    /** Bytes for one step of each of 12 lanes, but not for a second one. */
    private static final long NARROW = 8 * 363 + 4 * 471;

    @RegisterExtension private final TrainingCluster flink = new TrainingCluster(2, 4);

    @ParameterizedTest(name = "from {0} to {1}")
    @CsvSource({"2, 2", "1, 2", "2, 1"})
    void aSavepointGoesOnWithAnyParallelism(int before, int after, TestJob job) throws Exception {
        JobClient running = job.start(before);
        String savepoint;
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            trainer.step("train", 0, 1);
            savepoint = job.stopWithSavepoint(running);

            JobClient restored = job.start(after, savepoint);
            // The trainer keeps its process and its generation, and requests its next step.
            takeEpochFrom(2, job, trainer);
            trainer.finish();
            restored.getJobExecutionResult().get();
        }
    }

    /** The global batches stay consecutive rows, whatever the number of ranks and readers. */
    @Test
    void aSequentialRunGoesOnWithAnotherWorld(TestJob job) throws Exception {
        TestJob sequential = job.sequential();
        JobClient running = sequential.start(2);
        try (TestTrainer first = sequential.trainer("two", 0, 2, Transport.SHARED_MEMORY);
                TestTrainer second = sequential.trainer("two", 1, 2, Transport.SHARED_MEMORY)) {
            for (long step = 0; step < 2; step++) {
                List<Long> batch = new ArrayList<>(first.step("train", 0, step));
                batch.addAll(second.step("train", 0, step));
                assertThat(batch).isEqualTo(rowsOf(step, sequential));
            }
        }
        String savepoint = sequential.stopWithSavepoint(running);

        JobClient restored = sequential.start(1, savepoint);
        try (TestTrainer trainer = sequential.trainer("one", 0, 1, Transport.SHARED_MEMORY)) {
            for (long step = 2; step < sequential.order("train").steps(); step++) {
                assertThat(trainer.step("train", 0, step)).isEqualTo(rowsOf(step, sequential));
            }
            trainer.finish();
            restored.getJobExecutionResult().get();
        }
    }

    private static List<Long> rowsOf(long step, TestJob job) {
        Order order = job.order("train");
        int batch = order.settings().batch();
        return LongStream.range(step * batch, (step + 1) * batch)
                .map(row -> row % order.totalRows())
                .boxed()
                .toList();
    }

    /**
     * As {@code flink stop --drain} does: the sources end, and the job with them. The run continues
     * from its directory, without the savepoint.
     */
    @ParameterizedTest(name = "from {0} to {1}")
    @CsvSource({"1, 1", "2, 1", "1, 2"})
    void aDrainedSavepointIsRefused(int before, int after, TestJob job) throws Exception {
        JobClient running = job.start(before);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            trainer.commit(0, 1, "{\"step\":1}");
            String savepoint = job.stopWithSavepoint(running, true);
            running.getJobExecutionResult().get();
            assertThat(running.getJobStatus().get()).isEqualTo(JobStatus.FINISHED);

            assertThat(TestJob.faultOf(job.start(after, savepoint)))
                    .contains(
                            "was made by 'flink stop --drain'",
                            "start the job without it in the same run directory");

            JobClient anew = job.start(after);
            assertThat(trainer.resume().state()).isEqualTo("{\"step\":1}");
            takeEpochFrom(1, job, trainer);
            trainer.finish();
            anew.getJobExecutionResult().get();
        }
    }

    /** This savepoint also follows the end of the input, but the trainers had finished before. */
    @ParameterizedTest(name = "from {0} to {1}")
    @CsvSource({"2, 2", "2, 1"})
    void aSavepointOfARunThatHasEndedIsNotTakenForADrainedOne(
            int before, int after, TestJob job, MiniCluster cluster) throws Exception {
        JobClient running = job.held().start(before);
        // The source that holds the job has to run for the savepoint.
        CommonTestUtils.waitForAllTaskRunning(cluster, running.getJobID(), false);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            trainer.finish();
        }
        String savepoint = job.stopWithSavepoint(running, true);
        running.getJobExecutionResult().get();

        JobClient restored = job.partly().start(after, savepoint);
        restored.getJobExecutionResult().get();
        assertThat(restored.getJobStatus().get()).isEqualTo(JobStatus.FINISHED);
    }

    /** One reader then has all lanes and memory for one step of each; no lane may starve. */
    @Test
    void noLaneStarvesWhereOneReaderTakesOverTheLanesOfEight(TestJob job) throws Exception {
        int lanes = 8;
        TestJob narrow = job.withLanes(lanes).stepBytes(NARROW);
        JobClient running = narrow.start(8);
        try (TestTrainer trainer = narrow.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            assertThat(trainer.step("train", 0, 0)).isEqualTo(narrow.expected("train", 0, 8, 0, 0));
            String savepoint = narrow.stopWithSavepoint(running);

            JobClient restored = narrow.start(1, savepoint);
            long steps = narrow.order("train").steps();
            // Lane after lane to the epoch's end, while steps of all others are requested too.
            trainer.step("train", 0, 1);
            for (int lane = lanes - 1; lane >= 0; lane--) {
                for (long step = 2; step < steps; step++) {
                    assertThat(trainer.lane("train", lane, 0, step))
                            .isEqualTo(narrow.expected("train", lane, 0, step));
                }
                assertThat(trainer.step("eval", 0, 0)).isEqualTo(job.expected("eval", 0, 4, 0, 0));
            }
            trainer.finish();
            restored.getJobExecutionResult().get();
        }
    }

    private static void takeEpochFrom(long first, TestJob job, TestTrainer trainer)
            throws Exception {
        for (long step = first; step < job.order("train").steps(); step++) {
            assertThat(trainer.step("train", 0, step))
                    .isEqualTo(job.expected("train", 0, 4, 0, step));
        }
    }
}
