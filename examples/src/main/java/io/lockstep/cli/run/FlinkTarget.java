package io.lockstep.cli.run;

import io.lockstep.sink.SinkSettings;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.core.execution.JobClient;

/** Where a run's Flink job runs. */
interface FlinkTarget {

    /**
     * Submits the job. What takes long happens in the background, so that trainers start meanwhile.
     */
    CompletableFuture<JobClient> submit(PreparedRun run) throws Exception;

    /** How its servers are reached from the trainers of this host. */
    SinkSettings sinks();
}
