package io.lockstep.cli.run;

import io.lockstep.cli.OrderOptions;
import io.lockstep.cli.UsageException;
import io.lockstep.cli.runfile.Paths;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.source.StreamSpec;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which run is meant: a run file, or a dataset with options and the trainers' command. */
final class RunOptions {

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE | COMMAND",
            description = {
                "A run file; with --data, after '--', the command that starts one trainer."
            })
    private List<String> words = List.of();

    @Option(
            names = "--data",
            paramLabel = "PATH",
            description =
                    "A directory, glob or Parquet file in place of a run file; may be repeated.")
    private List<String> data = List.of();

    @Option(names = "--columns", split = ",", paramLabel = "NAME", description = "Default: all.")
    private List<String> columns = List.of();

    @Option(names = "--epochs", paramLabel = "N", description = "Default: 1.")
    private Integer epochs;

    @Option(names = "--ranks", paramLabel = "N", description = "Trainer processes. Default: 1.")
    private Integer ranks;

    @Option(
            names = "--run",
            paramLabel = "DIR",
            description = "The run directory. Default: a new one in ./runs.")
    private String directory;

    @Mixin private OrderOptions order;

    /**
     * The run as it is meant.
     *
     * @throws UsageException where the words do not fit together
     */
    RunFile resolve() {
        RunFile run = data.isEmpty() ? fromFile() : fromOptions();
        return directory == null ? run : run.in(Paths.absolute(Path.of(""), directory));
    }

    private RunFile fromFile() {
        if (words.size() != 1) {
            throw new UsageException(
                    words.isEmpty()
                            ? "name a run file, or a dataset by --data and the trainers' command after"
                                    + " '--'"
                            : "one run file at a time, not "
                                    + words.size()
                                    + " words; a command after '--' needs --data");
        }
        if (order.given() || !columns.isEmpty() || epochs != null || ranks != null) {
            throw new UsageException(
                    "a run file has the order, columns, epochs and ranks in it: change them there, or"
                            + " name the dataset by --data instead");
        }
        return RunFileReader.read(Path.of(words.get(0)));
    }

    private RunFile fromOptions() {
        List<String> paths = data.stream().map(path -> Paths.absolute(Path.of(""), path)).toList();
        StreamSpec train =
                new StreamSpec(
                        "train", paths, columns, order.settings(), epochs == null ? 1 : epochs);
        return RunFile.of(
                "train",
                List.of(train),
                new RunFile.Trainers(
                        ranks == null ? 1 : ranks, words, Path.of("").toAbsolutePath(), 0));
    }
}
