package io.lockstep.cli.run;

import io.lockstep.cli.console.GivenPaths;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.option.ColumnOptions;
import io.lockstep.cli.option.OrderOptions;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.StreamSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Selects the run: a run file, or a dataset with options and the trainers' command. */
final class RunOptions {

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE | COMMAND",
            description = {
                "A run file; with --data, the command that starts one trainer, after '--'."
            })
    private List<String> words = List.of();

    @Option(
            names = "--data",
            paramLabel = "PATH",
            description =
                    "A directory, glob or Parquet file instead of a run file; may be repeated.")
    private List<String> data = List.of();

    @Option(names = "--epochs", paramLabel = "N", description = "The number of epochs. Default: 1.")
    private Integer epochs;

    @Option(
            names = "--eval-data",
            paramLabel = "PATH",
            description =
                    "Add a stream 'eval' with the same batch and lanes, without shuffle; may be"
                            + " repeated.")
    private List<String> evalData = List.of();

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "The number of trainer processes. Default: 1.")
    private Integer ranks;

    @Option(
            names = "--restarts",
            paramLabel = "N",
            description = "How often to restart all trainers after one fails. Default: 0.")
    private Integer restarts;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description =
                    "Local directory for decoded row groups. Default: in the temporary directory.")
    private String cache;

    @Option(
            names = "--cache-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "The maximum size of the cache, such as 64GiB. Default: half of the free disk space.")
    private Long cacheSize;

    @Option(
            names = "--run",
            paramLabel = "DIR",
            description = "The run directory. Default: a new directory in ./runs.")
    private String directory;

    @Option(
            names = "--take-over",
            description = "Take the run from another Flink job that serves it; that job ends.")
    private boolean takeOver;

    @Mixin private ColumnOptions columns;

    @Mixin private OrderOptions order;

    /** Whether the run is taken from a job that serves it. */
    boolean takeOver() {
        return takeOver;
    }

    /**
     * The selected run.
     *
     * @throws UsageException if the arguments do not fit together
     */
    RunFile resolve() {
        checkGlob();
        RunFile run = data.isEmpty() ? fromFile() : fromOptions();
        return directory == null ? run : run.in(GivenPaths.absolute(directory));
    }

    /** The shell turns a glob without quotes into a path and further words. */
    private void checkGlob() {
        if (!words.isEmpty() && words.get(0).endsWith(".parquet")) {
            throw new UsageException(
                    "'"
                            + words.get(0)
                            + "' is a data file and neither a run file nor a command: name data by"
                            + " --data, and put a glob in quotes, as in --data 'DIR/*.parquet'");
        }
    }

    private RunFile fromFile() {
        if (words.size() != 1) {
            throw new UsageException(
                    words.isEmpty()
                            ? "name a run file, or a dataset by --data"
                            : "'"
                                    + words.get(1)
                                    + "' is one word too many after the run file "
                                    + words.get(0)
                                    + ": the trainers' command is its trainers.command, and a"
                                    + " command after '--' needs --data");
        }
        boolean numbers = epochs != null || ranks != null || restarts != null || cacheSize != null;
        boolean texts = columns.given() || !evalData.isEmpty() || cache != null;
        if (order.given() || numbers || texts) {
            throw new UsageException(
                    "a run file contains all settings except --run: change them there, or use --data"
                            + " instead of a run file");
        }
        return RunFileReader.read(Path.of(words.get(0)));
    }

    private RunFile fromOptions() {
        if (restarts != null) {
            UsageException.checkAtLeast(0, "--restarts", restarts);
        }
        List<StreamSpec> streams = new ArrayList<>();
        OrderSettings train = order.settings();
        int passes = epochs == null ? 1 : epochs;
        streams.add(stream("train", data, train, passes));
        if (!evalData.isEmpty()) {
            OrderSettings eval =
                    new OrderSettings(
                            train.seed(),
                            train.lanes(),
                            train.batch(),
                            train.window(),
                            Shuffle.NONE,
                            Tail.PAD);
            streams.add(stream("eval", evalData, eval, 1));
        }
        RunFile.Trainers trainers =
                new RunFile.Trainers(
                        ranks == null ? 1 : ranks,
                        words,
                        Path.of("").toAbsolutePath(),
                        restarts == null ? 0 : restarts);
        RunFile run = RunFile.of("train", streams, trainers).with(cacheSettings());
        try {
            run.checkRanks();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
        return run;
    }

    private StreamSpec stream(String name, List<String> paths, OrderSettings order, int epochs) {
        return new StreamSpec(
                name,
                paths.stream().map(GivenPaths::absolute).toList(),
                columns.columns(),
                order,
                epochs,
                columns.rules(),
                List.of());
    }

    private CacheSettings cacheSettings() {
        CacheSettings standard = CacheSettings.defaults();
        return new CacheSettings(
                cache == null ? standard.directory() : GivenPaths.local(cache),
                cacheSize == null ? standard.size() : cacheSize);
    }
}
