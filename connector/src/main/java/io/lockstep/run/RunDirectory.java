package io.lockstep.run;

import io.lockstep.AtomicFile;
import io.lockstep.UnreadableFileException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a run, on any file system that Flink supports.
 *
 * <p>Its files are small and replaced atomically, see {@link AtomicFile}; each JSON file has a
 * version. All methods may block on a remote file system.
 *
 * <pre>
 * run.yaml                  the resolved settings
 * token                     the secret for its servers: see {@link RunToken}
 * manifests/                sealed manifests, by digest
 * streams/STREAM.json       the manifest of a stream
 * sinks/SUBTASK.json        the address of a server and its lanes
 * trainers/generation.json  the newest generation of trainers
 * trainers/launches/        the last generations, one file each
 * job.json                  the Flink job that serves the run, and its state
 * heartbeat.json            its last heartbeat
 * commits/NUMBER/           the ledger: one file for each rank's committed state
 * damage/                   steps that a damaged cache file may have corrupted, one file each
 * log/                      events of the run, such as allowed differences, one file each
 * logs/LAUNCH/              the output of each rank
 * digests/                  what was served and consumed: see {@code io.lockstep.audit}
 * </pre>
 */
public final class RunDirectory implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int KEPT_LAUNCHES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);

    private final String root;

    /**
     * @param root a local path, or a URI of a file system that Flink supports
     */
    public RunDirectory(String root) {
        this.root = root;
    }

    /** The directory as the user named it. */
    public String root() {
        return root;
    }

    /** The directory of the sealed manifests. */
    public Path manifests() {
        return new Path(root, "manifests");
    }

    /** The ledger of committed states. */
    public CommitStore commits() {
        return new CommitStore(new Path(root, "commits"));
    }

    /**
     * The run's token; the first call, on the submitter, creates it. Only its owner can read the
     * file if the file system supports file modes.
     *
     * @throws io.lockstep.UserException if the file does not contain a token or belongs to another
     *     user
     */
    public RunToken obtainToken() throws IOException {
        return new TokenFile(root).obtain();
    }

    /**
     * The run's token; empty if no job has been submitted yet.
     *
     * @throws io.lockstep.UserException as {@link #obtainToken}
     */
    public Optional<RunToken> readToken() throws IOException {
        return new TokenFile(root).read();
    }

    /** The store of the job's state. */
    public JobStore job() {
        return new JobStore(new Path(root));
    }

    /** Writes an event to the run's log. */
    public void log(LogEntry entry) throws IOException {
        RunFiles.write(new Path(root, "log/" + entry.fileName()), entry);
    }

    /** Records steps that may have been served with wrong rows. */
    public void writeDamage(DamageEntry entry) throws IOException {
        RunFiles.write(new Path(root, "damage/" + entry.fileName()), entry);
    }

    /** The steps that may have been served with wrong rows, in order of detection. */
    public List<DamageEntry> readDamage() throws IOException {
        List<DamageEntry> entries = RunFiles.readAll(new Path(root, "damage"), DamageEntry.class);
        entries.sort(Comparator.comparing(DamageEntry::time));
        return entries;
    }

    /** The run's log in chronological order. */
    public List<LogEntry> readLog() throws IOException {
        List<LogEntry> entries = RunFiles.readAll(new Path(root, "log"), LogEntry.class);
        entries.sort(Comparator.comparing(LogEntry::time));
        return entries;
    }

    /** Saves the resolved settings of the run. */
    public void writeSettings(String yaml) throws IOException {
        AtomicFile.write(new Path(root, "run.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The settings of the run, if it has been prepared before.
     *
     * @throws UnreadableFileException if the file is empty
     */
    public Optional<String> readSettings() throws IOException {
        Path file = new Path(root, "run.yaml");
        String settings;
        try {
            settings = new String(AtomicFile.read(file), StandardCharsets.UTF_8);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        if (settings.isBlank()) {
            throw new UnreadableFileException(
                    file,
                    "it is empty",
                    "restore it from a copy, or start the job again in this directory with the same"
                            + " settings, which writes it",
                    null);
        }
        return Optional.of(settings);
    }

    /** Whether a stream has been sealed. */
    public boolean hasStream(String stream) throws IOException {
        Path file = streamFile(stream);
        return file.getFileSystem().exists(file);
    }

    /**
     * @throws UnreadableFileException if the file is damaged; the sealer can rebuild it
     */
    public Optional<StreamSeal> readStream(String stream) throws IOException {
        return RunFiles.read(streamFile(stream), StreamSeal.class);
    }

    public void writeStream(String stream, StreamSeal seal) throws IOException {
        RunFiles.write(streamFile(stream), seal);
    }

    private Path streamFile(String stream) {
        return new Path(root, "streams/" + stream + ".json");
    }

    public void writeSink(SinkEntry entry) throws IOException {
        RunFiles.write(new Path(root, "sinks/" + entry.subtask() + ".json"), entry);
    }

    /** All entries by subtask, of running sinks and of dead ones that were not cleaned up. */
    public List<SinkEntry> readSinks() throws IOException {
        List<SinkEntry> entries = RunFiles.readAll(new Path(root, "sinks"), SinkEntry.class);
        entries.sort(Comparator.comparingInt(SinkEntry::subtask));
        return entries;
    }

    /**
     * Removes all entries. Called when lanes are assigned again, before any of the new sinks
     * starts.
     */
    public void clearSinks() throws IOException {
        Path directory = new Path(root, "sinks");
        directory.getFileSystem().delete(directory, true);
    }

    /** Removes a sink's entry, unless another attempt has replaced it. */
    public void removeSink(int subtask, String task) throws IOException {
        Path file = new Path(root, "sinks/" + subtask + ".json");
        Optional<SinkEntry> present = RunFiles.read(file, SinkEntry.class);
        if (present.isPresent() && present.get().task().equals(task)) {
            AtomicFile.delete(file);
        }
    }

    /** Removes the entry of a subtask without a running attempt. */
    public void removeSink(int subtask) throws IOException {
        Path file = new Path(root, "sinks/" + subtask + ".json");
        AtomicFile.delete(file);
    }

    /**
     * The newest launch of trainers. If its file is damaged, it is rebuilt from the launch records
     * without the registered and closed ranks, so that no generation number is used twice.
     *
     * @throws UnreadableFileException if the newest generation cannot be determined
     */
    public Optional<GenerationEntry> readGeneration() throws IOException {
        try {
            return RunFiles.read(generationFile(), GenerationEntry.class);
        } catch (UnreadableFileException e) {
            Optional<GenerationEntry> newest = newestLaunch();
            if (newest.isEmpty()) {
                throw e;
            }
            LOG.warn(
                    "{}. Its newest launch, generation {}, is taken from {}",
                    e.getMessage(),
                    newest.get().generation(),
                    launches());
            return newest;
        }
    }

    private Path generationFile() {
        return new Path(root, "trainers/generation.json");
    }

    private Path launches() {
        return new Path(root, "trainers/launches");
    }

    private Optional<GenerationEntry> newestLaunch() throws IOException {
        OptionalLong newest = generations().max();
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        LaunchEntry launch =
                RunFiles.readAll(launches(), LaunchEntry.class).stream()
                        .filter(entry -> entry.generation() == newest.getAsLong())
                        .findFirst()
                        .orElseGet(() -> new LaunchEntry(newest.getAsLong(), "", "", 0));
        return Optional.of(
                new GenerationEntry(
                        launch.generation(),
                        launch.job(),
                        launch.launch(),
                        launch.world(),
                        List.of(),
                        List.of(),
                        List.of()));
    }

    /** Uses the names of the launch files, which survive damage to their content. */
    private LongStream generations() throws IOException {
        return Arrays.stream(RunFiles.list(launches()))
                .map(file -> file.getPath().getName())
                .filter(name -> name.matches("[0-9]+[.]json"))
                .mapToLong(name -> Long.parseLong(name.substring(0, name.indexOf('.'))));
    }

    private Path launchFile(long generation) {
        return new Path(launches(), String.format("%08d.json", generation));
    }

    /**
     * Records a launch before any of its ranks gets its generation; keeps the last few launches.
     */
    public void writeLaunch(LaunchEntry entry) throws IOException {
        RunFiles.write(launchFile(entry.generation()), entry);
        for (long old : generations().toArray()) {
            if (old <= entry.generation() - KEPT_LAUNCHES) {
                AtomicFile.delete(launchFile(old));
            }
        }
    }

    /**
     * The time of the last activity of trainers, or of servers if no trainer has registered yet;
     * empty if there was none.
     */
    public Optional<Instant> lastArrival() throws IOException {
        for (String name : List.of("trainers", "sinks")) {
            OptionalLong newest =
                    Arrays.stream(RunFiles.list(new Path(root, name)))
                            .mapToLong(FileStatus::getModificationTime)
                            .max();
            if (newest.isPresent()) {
                return Optional.of(Instant.ofEpochMilli(newest.getAsLong()));
            }
        }
        return Optional.empty();
    }

    public void writeGeneration(GenerationEntry entry) throws IOException {
        RunFiles.write(generationFile(), entry);
    }
}
