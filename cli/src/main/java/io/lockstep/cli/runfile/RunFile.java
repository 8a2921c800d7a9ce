package io.lockstep.cli.runfile;

import io.lockstep.audit.DigestRetention;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.handoff.flight.TlsFiles;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A run with all its settings; what was not written has its default.
 *
 * @param name for people; the run file's name without its ending
 * @param streams the datasets with their orders, in the order of the file
 * @param trainers the processes that are fed
 * @param directory the run directory, absolute or with a scheme; null where a new one is to be made
 * @param checkpointInterval between Flink checkpoints
 * @param digests how long the digests of served and consumed steps are kept
 * @param ports on which the tasks of a host serve the trainers
 * @param tls with which the servers encrypt; null for plain text
 * @param cache where decoded row groups are kept
 * @param reader what a reader may use of its process
 */
@PublicEvolving
public record RunFile(
        String name,
        List<StreamSpec> streams,
        Trainers trainers,
        @Nullable String directory,
        Duration checkpointInterval,
        DigestRetention digests,
        PortRange ports,
        @Nullable TlsFiles tls,
        CacheSettings cache,
        ReaderSettings reader) {

    static final Duration DEFAULT_CHECKPOINT_INTERVAL = Duration.ofMinutes(5);

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

    /** A run with defaults for all but its streams and trainers. */
    public static RunFile of(String name, List<StreamSpec> streams, Trainers trainers) {
        return new RunFile(
                name,
                streams,
                trainers,
                null,
                DEFAULT_CHECKPOINT_INTERVAL,
                DigestRetention.KEEP,
                PortRange.any(),
                null,
                CacheSettings.defaults(),
                ReaderSettings.defaults());
    }

    /** The same run in another directory. */
    public RunFile in(String runDirectory) {
        return new RunFile(
                name,
                streams,
                trainers,
                runDirectory,
                checkpointInterval,
                digests,
                ports,
                tls,
                cache,
                reader);
    }

    /** The same run with another cache. */
    public RunFile with(CacheSettings otherCache) {
        return new RunFile(
                name,
                streams,
                trainers,
                directory,
                checkpointInterval,
                digests,
                ports,
                tls,
                otherCache,
                reader);
    }

    /** The same run with other trainers, which use only some of its streams. */
    public RunFile with(Trainers otherTrainers, List<StreamSpec> theirStreams) {
        return new RunFile(
                name,
                theirStreams,
                otherTrainers,
                directory,
                checkpointInterval,
                digests,
                ports,
                tls,
                cache,
                reader);
    }

    /**
     * Checks that every stream's lanes can be shared among the ranks.
     *
     * @throws IllegalArgumentException where they cannot, with what to choose
     */
    public void checkRanks() {
        for (StreamSpec stream : streams) {
            try {
                stream.order().rankLanes(0, trainers.ranks(), false);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "the stream '" + stream.name() + "': " + e.getMessage(), e);
            }
        }
    }

    /**
     * The stream of a name.
     *
     * @throws RunFileException where the run has none of this name
     */
    public StreamSpec stream(String wanted) {
        List<String> names = streams.stream().map(StreamSpec::name).toList();
        int index = names.indexOf(wanted);
        if (index < 0) {
            throw new RunFileException(
                    "the run has no stream '" + wanted + "'" + Hint.of(wanted, names));
        }
        return streams.get(index);
    }
}
