package io.lockstep.cli;

import io.lockstep.cli.runfile.Paths;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.source.StreamSpec;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a verb looks at: a stream of a run file, or a dataset with the order's settings. */
final class TargetOptions {

    private static final String TRAIN = "train";

    @Parameters(
            arity = "1..*",
            paramLabel = "TARGET",
            description =
                    "A run file (FILE.yaml), or a dataset: directories, globs or Parquet files.")
    private List<String> targets;

    @Option(
            names = "--stream",
            paramLabel = "NAME",
            description = "The stream of the run file. Default: train.")
    private String stream;

    @Option(
            names = "--columns",
            split = ",",
            paramLabel = "NAME",
            description = "Columns of the dataset. Default: all.")
    private List<String> columns = List.of();

    @Mixin private OrderOptions order;

    /**
     * @throws UsageException where the options do not fit the target
     */
    StreamSpec spec() {
        return run().stream(streamName());
    }

    /**
     * The run of a run file; of a dataset, one with the stream {@code train} and no trainers.
     *
     * @throws UsageException where the options do not fit the target
     */
    RunFile run() {
        if (isRunFile(targets.get(0))) {
            return fromRunFile();
        }
        if (stream != null) {
            throw new UsageException("--stream is for run files, and the target is a dataset");
        }
        List<String> data = targets.stream().map(TargetOptions::absolute).toList();
        StreamSpec train = new StreamSpec(TRAIN, data, columns, order.settings(), 1);
        RunFile.Trainers none = new RunFile.Trainers(1, List.of(), Path.of("").toAbsolutePath(), 0);
        return RunFile.of(TRAIN, List.of(train), none);
    }

    /** The stream that is looked at. */
    String streamName() {
        return stream == null ? TRAIN : stream;
    }

    private RunFile fromRunFile() {
        if (targets.size() > 1) {
            throw new UsageException("one run file at a time, not " + targets.size() + " targets");
        }
        if (order.given() || !columns.isEmpty()) {
            throw new UsageException(
                    "a run file has the order's settings and the columns in it: change them there,"
                            + " or name the dataset instead of the run file");
        }
        return RunFileReader.read(Path.of(targets.get(0)));
    }

    static boolean isRunFile(String target) {
        return target.endsWith(".yaml") || target.endsWith(".yml");
    }

    /** Where the command was called decides what a relative path means. */
    static String absolute(String path) {
        return Paths.absolute(Path.of(""), path);
    }
}
