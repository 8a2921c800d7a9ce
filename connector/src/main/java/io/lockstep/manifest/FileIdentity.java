package io.lockstep.manifest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Distinguishes a local file from another one with the same path, length and modification time.
 *
 * @param device the device number, which may differ by host and after a reboot
 * @param inode the inode number on that device
 * @param changed the time of the last change of content or attributes (ctime), in nanoseconds since
 *     1970; programs cannot set it
 */
public record FileIdentity(long device, long inode, long changed) {

    /**
     * Returns the current identity of a file; null if it no longer exists, is not local, or its
     * file system does not provide one.
     */
    public static FileIdentity of(FileSystem fileSystem, Path path) throws IOException {
        if (!"file".equals(fileSystem.getUri().getScheme())) {
            return null;
        }
        try {
            Map<String, Object> of =
                    Files.readAttributes(
                            java.nio.file.Path.of(path.getPath()), "unix:dev,ino,ctime");
            return new FileIdentity(
                    ((Number) of.get("dev")).longValue(),
                    ((Number) of.get("ino")).longValue(),
                    ((FileTime) of.get("ctime")).to(TimeUnit.NANOSECONDS));
        } catch (NoSuchFileException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Returns whether both are the same file in the same state, as seen from any host. */
    public boolean sameContentAs(FileIdentity other) {
        return inode == other.inode && changed == other.changed;
    }
}
