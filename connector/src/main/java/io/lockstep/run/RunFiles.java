package io.lockstep.run;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.WholeFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * Small files that are replaced as a whole: written aside, then renamed, so that a reader sees the
 * former or the new content, never a part.
 */
final class RunFiles {

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private RunFiles() {}

    /**
     * A directory that is gone, or goes while it is read, has no files; some file systems say null.
     */
    static FileStatus[] list(Path directory) throws IOException {
        try {
            FileStatus[] files = directory.getFileSystem().listStatus(directory);
            return files == null ? new FileStatus[0] : files;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    /** The value in a file, or nothing where there is no such file. */
    static <T> Optional<T> read(Path file, TypeReference<T> type) throws IOException {
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return Optional.of(JSON.readValue(in, type));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    static void write(Path file, Object value) throws IOException {
        WholeFile.write(file, JSON.writeValueAsBytes(value));
    }
}
