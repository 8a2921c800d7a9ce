package io.lockstep.cli.runfile;

import io.lockstep.UserException;
import io.lockstep.source.StreamSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A run with all its settings; what was not written has its default.
 *
 * @param name for people; the run file's name without its ending
 * @param streams the datasets with their orders, in the order of the file
 * @param trainers the processes that are fed
 * @param directory the run directory, absolute or with a scheme; null where a new one is to be made
 * @param checkpointInterval between Flink checkpoints
 * @param cache where decoded row groups are kept
 */
public record RunFile(
        String name,
        List<StreamSpec> streams,
        Trainers trainers,
        String directory,
        Duration checkpointInterval,
        Cache cache) {

    static final Duration DEFAULT_CHECKPOINT_INTERVAL = Duration.ofSeconds(30);

    public RunFile {
        streams = List.copyOf(streams);
    }

    /**
     * The trainer processes.
     *
     * @param ranks how many there are
     * @param command starts one of them; empty where somebody else starts them
     * @param directory where it runs
     * @param restarts how often all are started again after one failed
     */
    public record Trainers(int ranks, List<String> command, Path directory, int restarts) {

        public Trainers {
            command = List.copyOf(command);
        }
    }

    /**
     * The cache of decoded row groups.
     *
     * @param directory absolute
     * @param bytes the most it may take
     */
    public record Cache(String directory, long bytes) {

        static final long DEFAULT_BYTES = 64L << 30;

        /** A cache of the default size at the default place, which differs by user. */
        public static Cache atDefaultPlace() {
            return new Cache(
                    Path.of(
                                    System.getProperty("java.io.tmpdir"),
                                    "lockstep-" + System.getProperty("user.name"))
                            .toAbsolutePath()
                            .toString(),
                    DEFAULT_BYTES);
        }
    }

    /** A run of one stream, with defaults for the rest. */
    public static RunFile of(String name, List<StreamSpec> streams, Trainers trainers) {
        return new RunFile(
                name, streams, trainers, null, DEFAULT_CHECKPOINT_INTERVAL, Cache.atDefaultPlace());
    }

    /** The same run in another directory. */
    public RunFile in(String runDirectory) {
        return new RunFile(name, streams, trainers, runDirectory, checkpointInterval, cache);
    }

    /**
     * The stream of a name.
     *
     * @throws UserException where the run has none of this name
     */
    public StreamSpec stream(String wanted) {
        List<String> names = streams.stream().map(StreamSpec::name).toList();
        int index = names.indexOf(wanted);
        if (index < 0) {
            throw new UserException(
                    "the run has no stream '" + wanted + "'" + Nearest.hint(wanted, names));
        }
        return streams.get(index);
    }
}
