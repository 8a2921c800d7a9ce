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
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * A run with all its settings, including defaults.
 *
 * @param name for display; the run file's name without its extension
 * @param streams the datasets with their orders, in the order of the file
 * @param trainers the trainer processes
 * @param directory the run directory, absolute or with a scheme; null to create a new one
 * @param checkpointInterval between Flink checkpoints
 * @param digests how long digests of served and consumed steps are kept
 * @param bind the address to serve the trainers at; null for that of the task manager
 * @param ports on which the tasks of a host serve the trainers
 * @param tls certificates of the servers; null for plain text
 * @param cache for decoded row groups
 * @param reader limits on a reader's use of its process
 */
@PublicEvolving
public record RunFile(
        String name,
        List<StreamSpec> streams,
        Trainers trainers,
        @Nullable String directory,
        Duration checkpointInterval,
        DigestRetention digests,
        @Nullable String bind,
        PortRange ports,
        @Nullable TlsFiles tls,
        CacheSettings cache,
        ReaderSettings reader) {

    static final Duration DEFAULT_CHECKPOINT_INTERVAL = Duration.ofMinutes(5);

    public RunFile {
        streams = List.copyOf(streams);
    }

    /** The name of the run's Flink job: {@code pipeline.name} if Flink's settings have it. */
    public String jobName(ReadableConfig flink) {
        return flink.getOptional(PipelineOptions.NAME).orElse("lockstep " + name);
    }

    /**
     * The trainer processes.
     *
     * @param ranks number of ranks
     * @param command starts one rank; empty if the ranks are started elsewhere
     * @param directory working directory of the ranks
     * @param restarts how often all ranks are restarted after one failed
     */
    public record Trainers(int ranks, List<String> command, Path directory, int restarts) {

        public Trainers {
            command = List.copyOf(command);
        }
    }

    /** Creates a run with defaults for everything except streams and trainers. */
    public static RunFile of(String name, List<StreamSpec> streams, Trainers trainers) {
        return new RunFile(
                name,
                streams,
                trainers,
                null,
                DEFAULT_CHECKPOINT_INTERVAL,
                DigestRetention.KEEP,
                null,
                PortRange.any(),
                null,
                CacheSettings.defaults(),
                ReaderSettings.defaults());
    }

    /** Returns a copy with another directory. */
    public RunFile in(String runDirectory) {
        return new RunFile(
                name,
                streams,
                trainers,
                runDirectory,
                checkpointInterval,
                digests,
                bind,
                ports,
                tls,
                cache,
                reader);
    }

    /** Returns a copy with another cache. */
    public RunFile with(CacheSettings otherCache) {
        return new RunFile(
                name,
                streams,
                trainers,
                directory,
                checkpointInterval,
                digests,
                bind,
                ports,
                tls,
                otherCache,
                reader);
    }

    /** Returns a copy with other trainers, which use only some of its streams. */
    public RunFile with(Trainers otherTrainers, List<StreamSpec> theirStreams) {
        return new RunFile(
                name,
                theirStreams,
                otherTrainers,
                directory,
                checkpointInterval,
                digests,
                bind,
                ports,
                tls,
                cache,
                reader);
    }

    /**
     * Checks that the lanes of every stream can be divided among the ranks.
     *
     * @throws IllegalArgumentException if they cannot; the message says what to choose
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
     * Returns a stream by name.
     *
     * @throws RunFileException if the run has no stream of this name
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
