package io.lockstep.sink;

import io.lockstep.UserException;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import org.apache.flink.annotation.PublicEvolving;

/** Builds a {@link TrainerSink}. */
@PublicEvolving
public final class TrainerSinkBuilder {

    private RunDirectory run;
    private SinkSettings settings = SinkSettings.cluster();

    TrainerSinkBuilder() {}

    /** Sets the run directory, the same as that of the source. Required. */
    public TrainerSinkBuilder runDirectory(String directory) {
        run = new RunDirectory(directory);
        return this;
    }

    public TrainerSinkBuilder handoff(SinkSettings handoff) {
        settings = handoff;
        return this;
    }

    /**
     * Builds the sink, with the token of the run directory inside. Creates the token if the run has
     * none.
     *
     * @throws UserException if the run directory is missing, or its token cannot be read or created
     */
    public TrainerSink build() {
        if (run == null) {
            throw new UserException("a trainer sink needs a run directory");
        }
        try {
            return new TrainerSink(run, run.obtainToken(), settings);
        } catch (IOException e) {
            throw new UserException(
                    "the token of the run cannot be kept in the run directory "
                            + run.root()
                            + ": "
                            + e,
                    e);
        }
    }
}
