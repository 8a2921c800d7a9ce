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
 * What tells a local file from another one of the same path, length and modification time.
 *
 * @param device its device number, which may differ by host and after a reboot
 * @param inode its number on that device
 * @param changed when its content or attributes were last changed, in nanoseconds since 1970;
 *     programs cannot set it
 */
public record FileIdentity(long device, long inode, long changed) {

    /** The identity of a file now; null where it is gone, not local, or its system has none. */
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

    /** Whether both are the same file in the same state, seen from any host. */
    public boolean sameContentAs(FileIdentity other) {
        return inode == other.inode && changed == other.changed;
    }
}
