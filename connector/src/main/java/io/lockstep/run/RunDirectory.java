package io.lockstep.run;

import com.fasterxml.jackson.core.type.TypeReference;
import io.lockstep.WholeFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * The one directory that holds a run, on any file system that Flink knows.
 *
 * <p>Its files are small and replaced as a whole: written aside, then renamed, so that a reader
 * sees the former or the new content, never a part.
 *
 * <pre>
 * run.yaml                  the settings as resolved
 * manifests/                sealed manifests, by digest
 * streams/STREAM.json       which manifest a stream is made from
 * sinks/SUBTASK.json        where a lane is served
 * trainers/generation.json  the newest generation of trainers
 * commits/NUMBER/           the ledger: a file for each rank's state that is in a model checkpoint
 * log/                      what was allowed or changed on the way, one file an event
 * logs/LAUNCH/              the output of each rank
 * digests/                  what was served and consumed: see {@code io.lockstep.audit}
 * </pre>
 */
public final class RunDirectory implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String root;

    /**
     * @param root a local path, or a URI of a file system that Flink knows
     */
    public RunDirectory(String root) {
        this.root = root;
    }

    /** The directory as it was named. */
    public String root() {
        return root;
    }

    /** Where the sealed manifests are. */
    public Path manifests() {
        return new Path(root, "manifests");
    }

    /** The ledger of committed states. */
    public CommitStore commits() {
        return new CommitStore(new Path(root, "commits"));
    }

    /** Writes an event into the run's log. */
    public void log(LogEntry entry) throws IOException {
        RunFiles.write(new Path(root, "log/" + entry.fileName()), entry);
    }

    /** The run's log in the order of time. */
    public List<LogEntry> readLog() throws IOException {
        List<LogEntry> entries = new ArrayList<>();
        for (FileStatus file : RunFiles.list(new Path(root, "log"))) {
            if (file.getPath().getName().endsWith(".json")) {
                RunFiles.read(file.getPath(), new TypeReference<LogEntry>() {})
                        .ifPresent(entries::add);
            }
        }
        entries.sort(Comparator.comparing(LogEntry::time));
        return entries;
    }

    /** Keeps the settings of the run, as they were resolved. */
    public void writeSettings(String yaml) throws IOException {
        WholeFile.write(new Path(root, "run.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** The settings of the run, where it has been prepared before. */
    public Optional<String> readSettings() throws IOException {
        Path file = new Path(root, "run.yaml");
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    public Optional<StreamSeal> readStream(String stream) throws IOException {
        return RunFiles.read(
                new Path(root, "streams/" + stream + ".json"), new TypeReference<>() {});
    }

    public void writeStream(String stream, StreamSeal seal) throws IOException {
        RunFiles.write(new Path(root, "streams/" + stream + ".json"), seal);
    }

    public void writeSink(SinkEntry entry) throws IOException {
        RunFiles.write(new Path(root, "sinks/" + entry.subtask() + ".json"), entry);
    }

    /** All entries, of living sinks and of dead ones that were not cleaned up, by subtask. */
    public List<SinkEntry> readSinks() throws IOException {
        List<SinkEntry> entries = new ArrayList<>();
        for (FileStatus file : RunFiles.list(new Path(root, "sinks"))) {
            if (file.getPath().getName().endsWith(".json")) {
                RunFiles.read(file.getPath(), new TypeReference<SinkEntry>() {})
                        .ifPresent(entries::add);
            }
        }
        entries.sort(Comparator.comparingInt(SinkEntry::subtask));
        return entries;
    }

    /**
     * Removes all entries: called when lanes are dealt anew, before any sink of the new deal
     * starts.
     */
    public void clearSinks() throws IOException {
        Path directory = new Path(root, "sinks");
        directory.getFileSystem().delete(directory, true);
    }

    /** Removes a sink's entry, unless another attempt has replaced it. */
    public void removeSink(int subtask, String task) throws IOException {
        Path file = new Path(root, "sinks/" + subtask + ".json");
        Optional<SinkEntry> present = RunFiles.read(file, new TypeReference<SinkEntry>() {});
        if (present.isPresent() && present.get().task().equals(task)) {
            file.getFileSystem().delete(file, false);
        }
    }

    /** Removes the entry of a subtask of which no attempt lives. */
    public void removeSink(int subtask) throws IOException {
        Path file = new Path(root, "sinks/" + subtask + ".json");
        file.getFileSystem().delete(file, false);
    }

    public Optional<JobEntry> readJob() throws IOException {
        return RunFiles.read(new Path(root, "job.json"), new TypeReference<>() {});
    }

    public void writeJob(JobEntry entry) throws IOException {
        RunFiles.write(new Path(root, "job.json"), entry);
    }

    public Optional<GenerationEntry> readGeneration() throws IOException {
        return RunFiles.read(new Path(root, "trainers/generation.json"), new TypeReference<>() {});
    }

    /** When trainers or, before the first, servers were last heard of; nothing before both. */
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
        RunFiles.write(new Path(root, "trainers/generation.json"), entry);
    }
}
