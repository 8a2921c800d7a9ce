package io.lockstep.cli.run;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.runfile.RunFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep run}: runs a training from its data to the end of its trainers. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "lockstep run [--run=DIR] [--cluster=HOST:PORT] FILE",
            "       lockstep run --data=PATH --batch=N [OPTIONS] -- COMMAND [ARGUMENT...]"
        },
        description =
                "Run a training: start the Flink job and the trainers of this host, and wait for them to end.")
public final class RunCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private RunOptions options;

    @Option(
            names = "--cluster",
            paramLabel = "HOST:PORT",
            description =
                    "The REST endpoint of a running Flink cluster. Default: an embedded Flink.")
    private String cluster;

    public RunCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        RunFile file = options.resolve();
        TrainingRun.checkCommand(file.trainers());
        try (FlinkTarget target = cluster == null ? new EmbeddedFlink() : RemoteFlink.at(cluster);
                PreparedRun run = PreparedRun.prepare(file, "run", options.takeOver(), console)) {
            return new TrainingRun(run, console).execute(target);
        }
    }
}
