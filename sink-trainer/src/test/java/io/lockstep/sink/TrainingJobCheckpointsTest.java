package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.CheckpointConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job's checkpoint options. */
class TrainingJobCheckpointsTest {

    @TempDir private Path folder;

    @Test
    void oneThatHangsIsGivenUpAfterHalfAMinuteAndTheJobGoesOn() {
        CheckpointConfig checkpoints = checkpoints(new Configuration());

        assertThat(checkpoints.getCheckpointTimeout()).isEqualTo(30_000);
        assertThat(checkpoints.getTolerableCheckpointFailureNumber()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void whatTheClusterSaysHolds() {
        Configuration cluster = new Configuration();
        cluster.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofMinutes(3));
        cluster.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 2);

        CheckpointConfig checkpoints = checkpoints(cluster);

        assertThat(checkpoints.getCheckpointTimeout()).isEqualTo(180_000);
        assertThat(checkpoints.getTolerableCheckpointFailureNumber()).isEqualTo(2);
    }

    private CheckpointConfig checkpoints(Configuration cluster) {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(cluster);
        OrderSettings order = new OrderSettings(7, 4, 16, 2, Shuffle.LANE, Tail.DROP);
        new TrainingJob(
                        folder.resolve("run").toString(),
                        List.of(
                                new StreamSpec(
                                        "train", List.of(folder.toString()), List.of(), order, 1)),
                        new CacheSettings(folder.resolve("cache").toString(), 1 << 20),
                        new ReaderSettings(1 << 20, 1),
                        SinkSettings.local(),
                        1,
                        Duration.ofSeconds(1))
                .build(environment);
        return environment.getCheckpointConfig();
    }
}
