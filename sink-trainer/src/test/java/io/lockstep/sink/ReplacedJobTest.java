package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.protocol.Transport;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job that is submitted into the run directory of a running one. */
@Timeout(120)
class ReplacedJobTest {

    @RegisterExtension private final TrainingCluster flink = new TrainingCluster(2, 4);

    @Test
    void theFormerEndsAndTheLaterServesTheRun(TestJob job) throws Exception {
        JobClient former = job.start(1);
        try (TestTrainer first = job.trainer("launch", 0, 1, Transport.SHARED_MEMORY)) {
            first.step("train", 0, 0);
        }

        JobClient later = job.start(1);

        assertThatThrownBy(() -> former.getJobExecutionResult().get())
                .hasStackTraceContaining(
                        "the job " + later.getJobID() + " was started later for the run in");
        assertThat(former.getJobStatus().get()).isEqualTo(JobStatus.FAILED);
        try (TestTrainer trainer = job.trainer("launch-2", 0, 1, Transport.SHARED_MEMORY)) {
            for (long step = 0; step < job.order("train").steps(); step++) {
                assertThat(trainer.step("train", 0, step))
                        .isEqualTo(job.expected("train", 0, 4, 0, step));
            }
            trainer.finish();
        }
        later.getJobExecutionResult().get();
    }
}
