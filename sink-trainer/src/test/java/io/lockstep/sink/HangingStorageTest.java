package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.Futures;
import io.lockstep.protocol.Transport;
import io.lockstep.testing.FaultyFileSystem;
import io.lockstep.testing.Warnings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cancels a job while its storage hangs. */
@Timeout(120)
class HangingStorageTest {

    private static final Duration CANCELLED_WITHIN = Duration.ofSeconds(5);

    @RegisterExtension private final TrainingCluster flink = new TrainingCluster(1, 1);

    @Test
    void aReadThatHangsKeepsNoTaskAndFreesItsMemoryWhenItReturns(TestJob job) throws Exception {
        FaultyFileSystem.Control storage = FaultyFileSystem.create();
        JobClient running = job.dataAt(storage.uri(job.data())).start(1);
        try (Warnings failures = Warnings.of(Futures.class);
                TestTrainer trainer = job.trainer("launch", 0, 1, Transport.FLIGHT)) {
            storage.set(FaultyFileSystem.Mode.HUNG);
            trainer.want(0, 0, 1);
            storage.awaitBlocked();

            Instant asked = Instant.now();
            running.cancel().get();
            while (running.getJobStatus().get() != JobStatus.CANCELED) {
                Thread.onSpinWait();
            }
            assertThat(Duration.between(asked, Instant.now())).isLessThan(CANCELLED_WITHIN);

            // The store ends, and deletes its files, after the last read returns.
            assertThat(stores(job.cache())).isNotEmpty();
            storage.set(FaultyFileSystem.Mode.HEALTHY);
            while (!stores(job.cache()).isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(failures.messages()).isEmpty();
        }
    }

    private static List<Path> stores(Path cache) throws IOException {
        try (Stream<Path> entries = Files.list(cache)) {
            return entries.filter(Files::isDirectory).toList();
        }
    }
}
