package io.lockstep.source;

import io.lockstep.TemporaryDirectories;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Where a task manager keeps decoded row groups, and how much of them.
 *
 * @param directory a local directory, on NVMe where there is one
 * @param size in bytes for each process; 0 stands for half of what is free at the start
 */
@PublicEvolving
public record CacheSettings(String directory, long size) implements Serializable {

    /** This user's directory under the JVM's temporary one, half of what is free. */
    public static CacheSettings defaults() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        return new CacheSettings(TemporaryDirectories.ofUser(temporary, "cache").toString(), 0);
    }

    /** The size in bytes on this machine. Creates the directory. */
    public long resolveSize() throws IOException {
        if (size > 0) {
            return size;
        }
        Path path = Files.createDirectories(Path.of(directory));
        return Files.getFileStore(path).getUsableSpace() / 2;
    }
}
