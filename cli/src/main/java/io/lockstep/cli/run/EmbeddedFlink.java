package io.lockstep.cli.run;

import io.lockstep.cli.console.FileSystems;
import io.lockstep.sink.SinkSettings;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.reader.HeadStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.client.deployment.executors.LocalExecutor;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * An embedded Flink with one reader whose threads use all cores. It starts immediately, while its
 * run is being prepared, runs one job and ends with it.
 */
final class EmbeddedFlink implements FlinkTarget {

    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT = Duration.ofMinutes(10);

    private final Configuration configuration = configuration();
    private final EmbeddedCluster cluster = EmbeddedCluster.begin(configuration);

    private static Configuration configuration() {
        Configuration configuration = FileSystems.load();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, RESTART_DELAY);
        // The only TaskManager registers before the job starts: there are no other slots to wait
        // for.
        configuration.set(ResourceManagerOptions.REQUIREMENTS_CHECK_DELAY, Duration.ZERO);
        // All components share this process and cannot lose each other; their heartbeats took a
        // quarter of an idle job's CPU time.
        configuration.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, HEARTBEAT);
        configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, HEARTBEAT.multipliedBy(6));
        // The clean-up interval of its web server, whose port is not published.
        configuration.set(WebOptions.REFRESH_INTERVAL, HEARTBEAT);
        return configuration;
    }

    @Override
    public RunningJob submit(PreparedRun run) throws IOException {
        Optional<HeadStart> headStart = headStart(run);
        return new RunningJob(submitted(run), () -> headStart.ifPresent(EmbeddedFlink::end));
    }

    /** For the first stream of a run without earlier trainers; others may resume at any step. */
    private static Optional<HeadStart> headStart(PreparedRun run) throws IOException {
        if (run.directory().readGeneration().isPresent()) {
            return Optional.empty();
        }
        StreamInfo first = run.streams().get(0);
        return Optional.of(
                HeadStart.begin(
                        run.directory(),
                        run.file().stream(first.name()),
                        first,
                        run.file().cache()));
    }

    private static void end(HeadStart headStart) {
        try {
            headStart.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CompletableFuture<JobClient> submitted(PreparedRun run) {
        CompletableFuture<JobClient> submitted = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                submitted.complete(start(run));
                            } catch (Throwable t) {
                                submitted.completeExceptionally(t);
                            }
                        },
                        "lockstep-submit");
        thread.setDaemon(true);
        thread.start();
        return submitted;
    }

    private JobClient start(PreparedRun run) throws Exception {
        Configuration ofJob = new Configuration(configuration);
        ofJob.set(PipelineOptions.NAME, run.file().jobName(ofJob));
        ofJob.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        ofJob.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                run.file().directory().startsWith("/")
                        ? Path.of(run.file().directory(), "checkpoints").toUri().toString()
                        : run.file().directory() + "/checkpoints");
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, ofJob);
        run.job(1, sinks()).build(environment);
        return LocalExecutor.createWithFactory(configuration, settings -> cluster)
                .execute(
                        environment.getStreamGraph(),
                        Configuration.fromMap(environment.getConfiguration().toMap()),
                        EmbeddedFlink.class.getClassLoader())
                .get();
    }

    @Override
    public SinkSettings sinks() {
        return SinkSettings.local();
    }

    /** Stops the cluster, unless the end of its job already has, and deletes its files. */
    @Override
    public void close() {
        cluster.close();
    }
}
