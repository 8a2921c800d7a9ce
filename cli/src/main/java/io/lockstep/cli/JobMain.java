package io.lockstep.cli;

import io.lockstep.UserException;
import io.lockstep.cli.run.OtherJob;
import io.lockstep.cli.run.RunDifference;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.cli.runfile.RunFileWriter;
import io.lockstep.run.RunDirectory;
import io.lockstep.sink.SinkSettings;
import io.lockstep.sink.TrainingJob;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Entry point of {@code flink run lockstep.jar [--take-over] RUN_FILE}: runs the job only, with the
 * parallelism of Flink's {@code -p}. The trainers attach with LOCKSTEP_RUN set to the run file's
 * run directory.
 */
public final class JobMain {

    private static final String TAKE_OVER = "--take-over";

    /** Of Flink's {@code PipelineOptionsInternal}. */
    private static final ConfigOption<String> FIXED_ID =
            ConfigOptions.key("$internal.pipeline.job-id").stringType().noDefaultValue();

    private JobMain() {}

    public static void main(String[] args) throws Exception {
        boolean takeOver = args.length == 2 && args[0].equals(TAKE_OVER);
        if (args.length != 1 && !takeOver) {
            throw new UserException(
                    "usage: flink run [-p READERS] lockstep.jar [--take-over] RUN_FILE");
        }
        String file = args[args.length - 1];
        RunFile run = RunFileReader.read(Path.of(file));
        if (run.directory() == null) {
            throw new UserException(
                    "a job on a cluster needs run.directory in "
                            + file
                            + ": a directory that every task manager and trainer can access");
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        if (!takeOver) {
            OtherJob.refuse(new RunDirectory(run.directory()), ownId(environment));
        }
        try {
            RunDifference.check(run);
        } catch (UserException e) {
            new RunDirectory(run.directory()).job().report("", e);
            throw e;
        }
        // The commands that inspect runs read it from there.
        new RunDirectory(run.directory()).writeSettings(RunFileWriter.write(run));
        new TrainingJob(
                        run.directory(),
                        run.streams(),
                        run.cache(),
                        run.reader(),
                        SinkSettings.cluster()
                                .with(run.digests())
                                .at(run.bind())
                                .on(run.ports())
                                .encrypted(run.tls()),
                        environment.getParallelism(),
                        run.checkpointInterval())
                .build(environment);
        environment.execute(run.jobName(environment.getConfiguration()));
    }

    /** In application mode a job is submitted again, with the same id, when its master restarts. */
    private static Optional<String> ownId(StreamExecutionEnvironment environment) {
        return environment.getConfiguration().getOptional(FIXED_ID);
    }
}
