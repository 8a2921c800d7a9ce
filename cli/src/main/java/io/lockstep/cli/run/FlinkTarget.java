package io.lockstep.cli.run;

import io.lockstep.sink.SinkSettings;

/** The Flink that runs a job. */
interface FlinkTarget extends AutoCloseable {

    /** Submits the job. Slow work happens in the background while the trainers start. */
    RunningJob submit(PreparedRun run) throws Exception;

    /** How trainers on this host reach the job's servers. */
    SinkSettings sinks();

    /** Releases what was started for the job and deletes its files. Idempotent. */
    @Override
    void close();
}
