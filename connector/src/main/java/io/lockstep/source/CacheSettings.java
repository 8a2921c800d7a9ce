package io.lockstep.source;

import io.lockstep.TemporaryDirectories;
import io.lockstep.ownership.OwnerOnly;
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

    /**
     * Creates the directory, and resolves the size on this machine.
     *
     * @return the size in bytes
     * @throws io.lockstep.ownership.ForeignDirectoryException if it is the default directory, whose
     *     name others can predict, and not this user's own
     */
    public long prepare() throws IOException {
        Path path = Path.of(directory);
        if (directory.equals(defaults().directory())) {
            OwnerOnly.ensureDirectory(path);
        } else {
            Files.createDirectories(path);
        }
        return size > 0 ? size : Files.getFileStore(path).getUsableSpace() / 2;
    }
}
