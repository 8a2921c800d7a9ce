package io.lockstep.source;

import io.lockstep.TemporaryDirectories;
import io.lockstep.ownership.OwnerOnly;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The location and size of a task manager's cache of decoded row groups.
 *
 * @param directory a local directory, preferably on NVMe
 * @param size in bytes for each process; 0 means half of the free space at startup
 */
@PublicEvolving
public record CacheSettings(String directory, long size) implements Serializable {

    /**
     * This user's default directory in the JVM's temporary directory, and half of its free space.
     */
    public static CacheSettings defaults() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        return new CacheSettings(TemporaryDirectories.ofUser(temporary, "cache").toString(), 0);
    }

    /**
     * Creates the directory, and resolves the size on this machine.
     *
     * @return the size in bytes
     * @throws io.lockstep.ownership.ForeignDirectoryException if it is the default directory, whose
     *     name other users can predict, and does not belong to this user
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
