package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** State that outlives trainers, jobs and run directories: commits, and what may be restored. */
@Timeout(180)
class TrainingJobStateTest {

    @RegisterExtension private final TrainingCluster flink = new TrainingCluster(1, 1);

    @Test
    void aCommitIsCompleteWithAllRanksAndOutlivesTheTrainers(TestJob job) throws Exception {
        JobClient running = job.start(1);
        try (TestTrainer first = trainer(job, "old", 0, 2);
                TestTrainer second = trainer(job, "old", 1, 2)) {
            assertThat(first.resume().state()).isNull();
            assertThat(first.commit(0, 5, "{\"step\":5}")).isFalse();
            assertThat(first.resume().state()).isNull();
            assertThat(second.commit(0, 5, "{\"step\":5}")).isTrue();
            assertThatThrownBy(() -> second.commit(0, 5, "{\"step\":6}"))
                    .hasMessageContaining("rank 1 commits another state of epoch 0, step 5");
        }
        try (TestTrainer later = trainer(job, "new", 0, 1)) {
            Reply.Resumed found = later.resume();
            assertThat(found.state()).isEqualTo("{\"step\":5}");
            assertThat(found.world()).isEqualTo(2);
            assertThat(found.generation()).isEqualTo(1);
            later.finish();
        }
        running.getJobExecutionResult().get();
    }

    @Test
    void aSavepointBringsTheLedgerIntoAnotherRunDirectory(TestJob job) throws Exception {
        JobClient running = job.start(1);
        String savepoint;
        try (TestTrainer trainer = trainer(job, "old", 0, 1)) {
            trainer.commit(0, 5, "{\"step\":5}");
            savepoint = job.stopWithSavepoint(running);
        }

        TestJob moved = job.withRun("another");
        copyManifests(job, moved);
        JobClient restored = moved.start(1, savepoint);
        try (TestTrainer trainer = trainer(moved, "new", 0, 1)) {
            assertThat(trainer.resume().state()).isEqualTo("{\"step\":5}");
            assertThat(moved.run().commits().readAll()).hasSize(1);
            trainer.finish();
        }
        restored.getJobExecutionResult().get();
    }

    @Test
    void ofLedgerAndSavepointTheNewerCounts(TestJob job) throws Exception {
        JobClient running = job.start(1);
        String savepoint;
        try (TestTrainer trainer = trainer(job, "launch", 0, 1)) {
            trainer.commit(0, 5, "{\"step\":5}");
            savepoint = job.stopWithSavepoint(running);
        }
        JobClient second = job.start(1, savepoint);
        try (TestTrainer trainer = trainer(job, "second", 0, 1)) {
            trainer.commit(0, 9, "{\"step\":9}");
            second.cancel().get();
            CommonTestUtils.waitUntilCondition(() -> second.getJobStatus().get().isTerminalState());
        }

        JobClient third = job.start(1, savepoint);
        try (TestTrainer trainer = trainer(job, "third", 0, 1)) {
            assertThat(trainer.resume().state()).isEqualTo("{\"step\":9}");
            trainer.finish();
        }
        third.getJobExecutionResult().get();
    }

    private static void copyManifests(TestJob from, TestJob to) throws Exception {
        Path target = Path.of(to.run().root(), "manifests");
        Files.createDirectories(target);
        try (var files = Files.list(Path.of(from.run().root(), "manifests"))) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
    }

    private static TestTrainer trainer(TestJob job, String launch, int rank, int world)
            throws Exception {
        return job.trainer(launch, rank, world, Transport.SHARED_MEMORY);
    }
}
