package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Transport;
import io.lockstep.run.JobEntry;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs with an invalid setup: each ends with one clear fault and is not restarted. */
@Timeout(120)
class TrainingJobRefusalsTest {

    @RegisterExtension private final TrainingCluster flink = new TrainingCluster(1, 1);

    @Test
    void aCacheThatCannotHoldTheWindowsIsRefusedWithTheNumbers(TestJob job) throws Exception {
        assertThat(TestJob.faultOf(job.cacheBytes(100).start(1)))
                .contains("lanes of one task need", "the cache holds 100", "cache.size");
    }

    @Test
    void memoryThatCannotHoldOneStepOfEachLaneIsRefusedWithTheNumbers(TestJob job)
            throws Exception {
        assertThat(TestJob.faultOf(job.stepBytes(10).start(1)))
                .contains("one step of each of the 8 lanes", "may use 10", "reader.step-memory");

        JobEntry entry = job.run().job().read().orElseThrow();
        assertThat(entry.state()).isEqualTo(JobEntry.State.FAILED);
        assertThat(entry.error()).contains("one step of each of the 8 lanes", "may use 10");
    }

    @Test
    void theDirectoryOfAnotherRunIsRefused(TestJob job) throws Exception {
        JobClient first = job.start(1);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.FLIGHT)) {
            trainer.finish();
        }
        first.getJobExecutionResult().get();

        assertThat(TestJob.faultOf(job.withSeed(8).start(1)))
                .contains("holds a run whose stream 'train' has another order or dataset");
        assertThat(TestJob.faultOf(job.withColumns("x").start(1)))
                .contains("holds a run whose stream 'train' has other columns ([id, x], now [x])");
    }

    @Test
    void aSecondProcessOfTheSameRankIsRefused(TestJob job) throws Exception {
        JobClient running = job.start(1);
        try (TestTrainer trainer = job.trainer("launch", 0, 1, Transport.FLIGHT)) {
            assertThatThrownBy(() -> job.trainer("launch", 0, 1, Transport.FLIGHT))
                    .isInstanceOf(HandoffException.class)
                    .hasMessageContaining("two processes say that they are rank 0");
            trainer.finish();
        }
        running.getJobExecutionResult().get();
    }
}
