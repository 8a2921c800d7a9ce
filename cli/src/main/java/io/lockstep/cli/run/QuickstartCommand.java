package io.lockstep.cli.run;

import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code lockstep quickstart}: trains a real model on the data that ships with the project. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        description =
                "Train a PyTorch model in 2 processes on the bundled handwritten digits, then show that a"
                        + " run survives when its trainers are killed.")
public final class QuickstartCommand implements Callable<Integer> {

    private static final List<String> AGAIN = List.of("python", "again.py");
    private static final String HOME = "lockstep.home";

    private final Console console;

    public QuickstartCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        Path file = Path.of(System.getProperty(HOME, "."), "examples/quickstart/run.yaml");
        if (!Files.exists(file)) {
            throw new UserException(
                    "there is no "
                            + file
                            + ": start the quick start by './lockstep' of a checkout");
        }
        RunFile settings = RunFileReader.read(file);
        RunFile done;
        try (FlinkTarget target = new EmbeddedFlink();
                PreparedRun run = PreparedRun.prepare(settings, "quickstart", false, console)) {
            int status = new TrainingRun(run, console).execute(target);
            if (status != 0) {
                return status;
            }
            done = run.file();
        }
        try (FlinkTarget target = new EmbeddedFlink()) {
            int status = new ReplayDemonstration(done, AGAIN, console).execute(target);
            if (status == 0) {
                conclude(done, file);
            }
            return status;
        }
    }

    private void conclude(RunFile run, Path file) throws IOException {
        console.print("");
        console.print(
                "What happened: an embedded Flink read Parquet shards in a fixed order and handed each step to "
                        + run.trainers().ranks()
                        + " PyTorch processes, which came to '"
                        + lastAccuracy(run)
                        + "'.");
        console.print(
                "What is left: "
                        + run.directory()
                        + " holds the settings, the sealed manifests, the digests of all steps and each rank's"
                        + " output.");
        console.print(
                "What to try next: './lockstep show "
                        + file
                        + " --epoch 0 --step 0', or './lockstep run --data DIR --batch N -- python train.py'.");
    }

    /** The result that rank 0 printed in the run's only launch. */
    private static String lastAccuracy(RunFile run) throws IOException {
        try (Stream<Path> launches = Files.list(Path.of(run.directory(), "logs"))) {
            Path log = launches.findFirst().orElseThrow().resolve("rank-0.log");
            return lastAccuracy(Files.readAllLines(log));
        }
    }

    /** Searches a trainer's output. Progress uses another pipe and may end the log. */
    static String lastAccuracy(List<String> log) {
        List<String> accuracies = log.stream().filter(line -> line.startsWith("epoch ")).toList();
        return accuracies.get(accuracies.size() - 1);
    }
}
