package io.lockstep;

import java.io.IOException;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.apache.flink.util.ExceptionUtils;

/** Resolves the Flink file system of a path given by the user. */
@Internal
public final class FileSystemOf {

    private FileSystemOf() {}

    /**
     * Returns the file system of a path.
     *
     * @throws UserException if Flink has no file system for the scheme, or none that works with
     *     this Java version
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
            // Flink's plugins bundle a Hadoop before 3.5, which fails as of Java 24.
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
