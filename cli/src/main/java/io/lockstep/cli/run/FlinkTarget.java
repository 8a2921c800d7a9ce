package io.lockstep.cli.run;

import io.lockstep.sink.SinkSettings;

/** Where a run's Flink job runs. */
interface FlinkTarget extends AutoCloseable {

    /**
     * Submits the job. What takes long happens in the background, so that trainers start meanwhile.
     */
    RunningJob submit(PreparedRun run) throws Exception;

    /** How its servers are reached from the trainers of this host. */
    SinkSettings sinks();

    /** Gives back what was started for the job, and leaves no files. Idempotent. */
    @Override
    void close();
}
