package io.lockstep.run;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
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
 * logs/LAUNCH/              the output of each rank
 * digests/STREAM/EPOCH/     what was served and consumed: see {@link DigestArchive}
 * </pre>
 */
public final class RunDirectory implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

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

    /** Keeps the settings of the run, as they were resolved. */
    public void writeSettings(String yaml) throws IOException {
        write(new Path(root, "run.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
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
        return read(new Path(root, "streams/" + stream + ".json"), new TypeReference<>() {});
    }

    public void writeStream(String stream, StreamSeal seal) throws IOException {
        write(new Path(root, "streams/" + stream + ".json"), seal);
    }

    public void writeSink(SinkEntry entry) throws IOException {
        write(new Path(root, "sinks/" + entry.subtask() + ".json"), entry);
    }

    /** All entries, of living sinks and of dead ones that were not cleaned up, by subtask. */
    public List<SinkEntry> readSinks() throws IOException {
        List<SinkEntry> entries = new ArrayList<>();
        for (FileStatus file : list(new Path(root, "sinks"))) {
            if (file.getPath().getName().endsWith(".json")) {
                read(file.getPath(), new TypeReference<SinkEntry>() {}).ifPresent(entries::add);
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
        Optional<SinkEntry> present = read(file, new TypeReference<SinkEntry>() {});
        if (present.isPresent() && present.get().task().equals(task)) {
            file.getFileSystem().delete(file, false);
        }
    }

    public Optional<GenerationEntry> readGeneration() throws IOException {
        return read(new Path(root, "trainers/generation.json"), new TypeReference<>() {});
    }

    public void writeGeneration(GenerationEntry entry) throws IOException {
        write(new Path(root, "trainers/generation.json"), entry);
    }

    /**
     * A directory that is gone, or goes while it is read, has no files; some file systems say null.
     */
    private static FileStatus[] list(Path directory) throws IOException {
        try {
            FileStatus[] files = directory.getFileSystem().listStatus(directory);
            return files == null ? new FileStatus[0] : files;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    private static <T> Optional<T> read(Path file, TypeReference<T> type) throws IOException {
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return Optional.of(JSON.readValue(in, type));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private static void write(Path file, Object value) throws IOException {
        write(file, JSON.writeValueAsBytes(value));
    }

    private static void write(Path file, byte[] content) throws IOException {
        FileSystem files = file.getFileSystem();
        files.mkdirs(file.getParent());
        Path aside = new Path(file.getParent(), "." + file.getName() + "." + UUID.randomUUID());
        try (FSDataOutputStream out = files.create(aside, FileSystem.WriteMode.NO_OVERWRITE)) {
            out.write(content);
        }
        if (!files.rename(aside, file)) {
            files.delete(file, false);
            if (!files.rename(aside, file)) {
                throw new IOException("cannot replace " + file + " in the run directory");
            }
        }
    }
}
