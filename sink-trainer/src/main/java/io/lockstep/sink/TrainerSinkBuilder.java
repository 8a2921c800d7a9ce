package io.lockstep.sink;

import io.lockstep.UserException;
import io.lockstep.run.RunDirectory;
import org.apache.flink.annotation.PublicEvolving;

/** Collects what a {@link TrainerSink} is made of. */
@PublicEvolving
public final class TrainerSinkBuilder {

    private RunDirectory run;
    private SinkSettings settings = SinkSettings.cluster();

    TrainerSinkBuilder() {}

    /** The run directory of the source before it. Needed. */
    public TrainerSinkBuilder runDirectory(String directory) {
        run = new RunDirectory(directory);
        return this;
    }

    public TrainerSinkBuilder handoff(SinkSettings handoff) {
        settings = handoff;
        return this;
    }

    public TrainerSink build() {
        if (run == null) {
            throw new UserException("a trainer sink needs a run directory");
        }
        return new TrainerSink(run, settings);
    }
}
