package io.lockstep.cli;

import io.lockstep.UserException;
import io.lockstep.cli.run.RunDifference;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.cli.runfile.RunFileWriter;
import io.lockstep.run.RunDirectory;
import io.lockstep.sink.SinkSettings;
import io.lockstep.sink.TrainingJob;
import java.nio.file.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Entry point of {@code flink run lockstep.jar RUN_FILE}: runs the job only, with the parallelism
 * of Flink's {@code -p}. The trainers attach with LOCKSTEP_RUN set to the run file's run directory.
 */
public final class JobMain {

    private JobMain() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new UserException("usage: flink run [-p READERS] lockstep.jar RUN_FILE");
        }
        RunFile run = RunFileReader.read(Path.of(args[0]));
        if (run.directory() == null) {
            throw new UserException(
                    "a job on a cluster needs run.directory in "
                            + args[0]
                            + ": a directory that every task manager and trainer can access");
        }
        try {
            RunDifference.check(run);
        } catch (UserException e) {
            new RunDirectory(run.directory()).job().report("", e);
            throw e;
        }
        // The commands that inspect runs read it from there.
        new RunDirectory(run.directory()).writeSettings(RunFileWriter.write(run));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        new TrainingJob(
                        run.directory(),
                        run.streams(),
                        run.cache(),
                        run.reader(),
                        SinkSettings.cluster()
                                .with(run.digests())
                                .on(run.ports())
                                .encrypted(run.tls()),
                        environment.getParallelism(),
                        run.checkpointInterval())
                .build(environment);
        environment.execute("lockstep " + run.name());
    }
}
