package io.lockstep.cli.run;

import io.lockstep.sink.SinkSettings;
import org.apache.flink.core.execution.JobClient;

/** Where a run's Flink job runs. */
interface FlinkTarget {

    /** Submits the job; does not wait for it to run. */
    JobClient submit(PreparedRun run) throws Exception;

    /** How its servers are reached from the trainers of this host. */
    SinkSettings sinks();
}
