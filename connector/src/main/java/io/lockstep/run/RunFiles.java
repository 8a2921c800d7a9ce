package io.lockstep.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.AtomicFile;
import io.lockstep.RemoteCalls;
import io.lockstep.UnreadableFileException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JSON files of a run directory: each is an object with a {@code version} and is replaced
 * atomically by {@link AtomicFile}.
 *
 * <p>Unknown fields are ignored, so a release may add fields without a new version. A new version
 * marks content that older releases would misread. Release 0.1 wrote no version; its files read as
 * version 1.
 */
final class RunFiles {

    static final int VERSION = 1;

    private static final String VERSION_FIELD = "version";

    private static final String RESTORE = "restore it from a copy, or start a new run";

    private static final Logger LOG = LoggerFactory.getLogger(RunFiles.class);

    private static final ObjectMapper JSON =
            JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private RunFiles() {}

    /**
     * The entries of a directory; empty if it does not exist or is deleted concurrently, for which
     * some file systems return null.
     */
    static FileStatus[] list(Path directory) throws IOException {
        try {
            FileStatus[] files =
                    RemoteCalls.call(
                            directory, () -> directory.getFileSystem().listStatus(directory));
            return files == null ? new FileStatus[0] : files;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    /**
     * The value in a file; empty if the file does not exist.
     *
     * @throws UnreadableFileException if the content is damaged or has a later version
     */
    static <T> Optional<T> read(Path file, Class<T> type) throws IOException {
        byte[] content;
        try {
            content = AtomicFile.read(file);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        if (content.length == 0) {
            throw new UnreadableFileException(file, "it is empty", RESTORE, null);
        }
        try {
            JsonNode json = JSON.readTree(content);
            if (!json.isObject()) {
                throw new UnreadableFileException(file, "it is not a JSON object", RESTORE, null);
            }
            int version = json.path(VERSION_FIELD).asInt(VERSION);
            if (version > VERSION) {
                throw new UnreadableFileException(
                        file,
                        "it has version " + version + " and this release reads " + VERSION,
                        "use the release that wrote it, or start a new run",
                        null);
            }
            return Optional.of(JSON.treeToValue(json, type));
        } catch (JsonProcessingException e) {
            throw new UnreadableFileException(file, e.getOriginalMessage(), RESTORE, e);
        }
    }

    /**
     * The values of all readable {@code .json} files of a directory; logs a warning for the others.
     */
    static <T> List<T> readAll(Path directory, Class<T> type) throws IOException {
        List<T> values = new ArrayList<>();
        for (FileStatus file : list(directory)) {
            String name = file.getPath().getName();
            if (name.endsWith(".json") && !name.startsWith(".")) {
                readOrSkip(file.getPath(), type).ifPresent(values::add);
            }
        }
        return values;
    }

    private static <T> Optional<T> readOrSkip(Path file, Class<T> type) throws IOException {
        try {
            return read(file, type);
        } catch (UnreadableFileException e) {
            LOG.warn("Skipping a file of the run directory: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Writes a value with the current version.
     *
     * @param value serializes to a JSON object
     */
    static void write(Path file, Object value) throws IOException {
        ObjectNode json = JSON.createObjectNode().put(VERSION_FIELD, VERSION);
        json.setAll((ObjectNode) JSON.valueToTree(value));
        AtomicFile.write(file, JSON.writeValueAsBytes(json));
    }
}
