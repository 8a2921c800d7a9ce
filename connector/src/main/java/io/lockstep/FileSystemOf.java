package io.lockstep;

import java.io.IOException;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.apache.flink.util.ExceptionUtils;

/** Flink's file system of a path that a user has written. */
@Internal
public final class FileSystemOf {

    private FileSystemOf() {}

    /**
     * Finds it.
     *
     * @throws UserException where Flink has none, or none that works with this Java
     */
    public static FileSystem path(Path path) throws IOException {
        try {
            return path.getFileSystem();
        } catch (UnsupportedFileSystemSchemeException e) {
            throw new UserException(
                    "Flink has no file system for "
                            + path
                            + "; put the plugin for "
                            + path.toUri().getScheme()
                            + " into a folder of its own below Flink's plugins directory, which for"
                            + " the command is FLINK_PLUGINS_DIR.",
                    e);
        } catch (IOException e) {
            // What Hadoop before 3.5 asks the JDK for is gone since 24; Flink's plugins have it.
            if (ExceptionUtils.findThrowable(e, UnsupportedOperationException.class).isPresent()) {
                throw new UserException(
                        "Flink's file system for "
                                + path
                                + " does not work with this Java, "
                                + Runtime.version().feature()
                                + " ("
                                + e.getMessage()
                                + "); start it with a JDK 17 or 21.",
                        e);
            }
            throw e;
        }
    }
}
