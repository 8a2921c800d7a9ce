package io.lockstep.cli.data;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FileSystems;
import io.lockstep.cli.console.GivenPaths;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.option.ColumnOptions;
import io.lockstep.cli.option.OrderOptions;
import io.lockstep.cli.option.TrustOption;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The target of a verb: a stream of a run, or a dataset with order settings. */
public final class TargetOptions {

    private static final String TRAIN = "train";

    @Parameters(
            arity = "1..*",
            paramLabel = "TARGET",
            description =
                    "A run file (FILE.yaml), a run directory (with its sealed settings and data), or a"
                            + " dataset: directories, globs or Parquet files.")
    private List<String> targets;

    @Option(
            names = "--stream",
            paramLabel = "NAME",
            description = "The stream of the run. Default: train.")
    private String stream;

    @Mixin private ColumnOptions columns;

    @Mixin private OrderOptions order;

    @Mixin private TrustOption trust;

    /**
     * The dataset: listed now, or as sealed if the target is a run directory.
     *
     * @throws UsageException if the options do not fit the target
     */
    public PlannedStream open(Console console) throws IOException {
        Optional<PastRun> past = past();
        return past.isPresent()
                ? past.get().stream(stream())
                : PlannedStream.open(file().stream(stream()), console);
    }

    /**
     * The run, if the target is a run directory.
     *
     * @throws UsageException if the options do not fit it
     */
    public Optional<PastRun> past() throws IOException {
        FileSystems.load();
        String first = targets.get(0);
        if (isRunFile(first) || !PastRun.isAt(GivenPaths.absolute(first))) {
            return Optional.empty();
        }
        checkAlone("the directory of a run");
        return Optional.of(PastRun.open(first, trust.isGiven()));
    }

    /**
     * The run of a run file; for a dataset, a run with the stream {@code train} and no trainers.
     *
     * @throws UsageException if the options do not fit the target
     */
    public RunFile file() {
        if (isRunFile(targets.get(0))) {
            checkAlone("a run file");
            return RunFileReader.read(Path.of(targets.get(0)));
        }
        if (stream != null) {
            throw new UsageException("--stream is for runs, and the target is a dataset");
        }
        List<String> data = targets.stream().map(GivenPaths::absolute).toList();
        StreamSpec train =
                new StreamSpec(
                        TRAIN,
                        data,
                        columns.columns(),
                        order.settings(),
                        1,
                        columns.rules(),
                        List.of());
        RunFile.Trainers none = new RunFile.Trainers(1, List.of(), Path.of("").toAbsolutePath(), 0);
        return RunFile.of(TRAIN, List.of(train), none);
    }

    /** The name of the selected stream. */
    public String stream() {
        return stream == null ? TRAIN : stream;
    }

    private void checkAlone(String what) {
        if (targets.size() > 1) {
            throw new UsageException(
                    what + " stands alone, not among " + targets.size() + " targets");
        }
        if (order.given() || columns.given()) {
            throw new UsageException(
                    what
                            + " has the order's settings and the columns in it: change them in the run"
                            + " file, or name the dataset instead");
        }
    }

    public static boolean isRunFile(String target) {
        return target.endsWith(".yaml") || target.endsWith(".yml");
    }
}
