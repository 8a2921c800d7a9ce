package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.Transport;
import io.lockstep.testing.FaultyFileSystem;
import io.lockstep.testing.FaultyFileSystem.Mode;
import java.time.Duration;
import java.time.Instant;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run directory whose file system turns read-only, or hangs, during a training. */
@Timeout(120)
class FaultyRunDirectoryTest {

    private static final int CHECKPOINTS = 20;

    @RegisterExtension private final TrainingCluster flink = new TrainingCluster(1, 1);

    private final FaultyFileSystem.Control files = FaultyFileSystem.create();

    @AfterEach
    void release() {
        files.set(Mode.HEALTHY);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ_ONLY", "STALLED"})
    void checkpointsGoOnACommitIsRefusedAndTheTaskEnds(Mode mode, TestJob job, MiniCluster cluster)
            throws Exception {
        JobClient running = job.on(files).strictCheckpoints().start(1);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            trainer.step("train", 0, 0);
            assertThat(trainer.commit(0, 1, "{}")).isTrue();
            files.set(mode);

            long before = completed(cluster, running);
            CommonTestUtils.waitUntilCondition(
                    () -> completed(cluster, running) >= before + CHECKPOINTS);
            if (mode != Mode.STALLED) { // this client requests the routing, which reads files
                assertThat(trainer.step("train", 0, 1))
                        .isEqualTo(job.expected("train", 0, 4, 0, 1));
            }
            Instant asked = Instant.now();
            assertThat(trainer.commit(0, 2, "{}")).isFalse();
            assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(15));
            assertThat(running.getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
        }

        Instant cancelled = Instant.now();
        running.cancel().get();
        CommonTestUtils.waitUntilCondition(
                () -> running.getJobStatus().get() == JobStatus.CANCELED);
        assertThat(Duration.between(cancelled, Instant.now())).isLessThan(Duration.ofSeconds(5));
    }

    private static long completed(MiniCluster cluster, JobClient running) throws Exception {
        return cluster.getExecutionGraph(running.getJobID())
                .get()
                .getCheckpointStatsSnapshot()
                .getCounts()
                .getNumberOfCompletedCheckpoints();
    }
}
