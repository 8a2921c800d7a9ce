package io.lockstep.sink;

import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.parquet.ParquetTrainingSource;
import io.lockstep.source.parquet.ParquetTrainingSourceBuilder;
import java.time.Duration;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The job graph of a training run, from source to sink.
 *
 * <p>Source and sink must be chained, with equal parallelism, object reuse and no operator between
 * them, since records are handles to memory of one task. So this class alone builds the graph.
 *
 * @param run the run directory: a local path, or a URI of a file system that Flink knows
 * @param streams at least one
 * @param parallelism the number of readers; not more than the lanes of the largest stream
 * @param checkpointInterval zero or negative for no checkpoints
 */
@PublicEvolving
public record TrainingJob(
        String run,
        List<StreamSpec> streams,
        CacheSettings cache,
        ReaderSettings reader,
        SinkSettings handoff,
        int parallelism,
        Duration checkpointInterval) {

    /** Stable, so that a later release can restore a savepoint. */
    private static final String SOURCE_UID = "lockstep-source";

    private static final String SINK_UID = "lockstep-sink";

    /**
     * If a task fails during a checkpoint, Flink 2.3.0 may never complete its coordinator's part.
     * The next checkpoint, and with it all events of the coordinator, then waits until this
     * timeout. Flink's default is ten minutes. A checkpoint of this job takes a second.
     */
    private static final Duration CHECKPOINT_TIMEOUT = Duration.ofSeconds(30);

    /** Adds the graph to an environment and sets the options that it needs. */
    public void build(StreamExecutionEnvironment environment) {
        environment.configure(configuration(environment.getConfiguration()));
        environment.setParallelism(parallelism);
        ParquetTrainingSourceBuilder source =
                ParquetTrainingSource.builder()
                        .runDirectory(run)
                        .cache(cache)
                        .reader(reader.withDigests(handoff.digests().isOn()));
        streams.forEach(source::stream);
        environment
                .fromSource(source.build(), WatermarkStrategy.noWatermarks(), "Parquet lanes")
                .uid(SOURCE_UID)
                .sinkTo(TrainerSink.builder().runDirectory(run).handoff(handoff).build())
                .name("Trainers")
                .uid(SINK_UID);
    }

    /** The options that the job needs, and defaults for those that the cluster leaves unset. */
    private Configuration configuration(ReadableConfig given) {
        Configuration configuration = new Configuration();
        configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.OPERATOR_CHAINING, true);
        configuration.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ZERO);
        // All readers end together and nothing is left to commit, so a final checkpoint is
        // pointless.
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        if (!checkpointInterval.isNegative() && !checkpointInterval.isZero()) {
            configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
        }
        if (given.getOptional(CheckpointingOptions.CHECKPOINTING_TIMEOUT).isEmpty()) {
            configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, CHECKPOINT_TIMEOUT);
        }
        // A failed checkpoint loses nothing: the commits are in the run directory too.
        if (given.getOptional(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER).isEmpty()) {
            configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        }
        return configuration;
    }
}
