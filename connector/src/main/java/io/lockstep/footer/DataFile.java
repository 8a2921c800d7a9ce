package io.lockstep.footer;

import io.lockstep.UserException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Opens the files of a dataset. */
@Internal
public final class DataFile {

    private DataFile() {}

    /**
     * Opens a file for reading.
     *
     * @throws UserException if it is a local file that this process may not read
     */
    public static FSDataInputStream open(FileSystem fileSystem, Path path) throws IOException {
        try {
            return fileSystem.open(path);
        } catch (FileNotFoundException e) {
            // The operating system's reason is only part of the message, in the user's language.
            File file = new File(path.getPath());
            if (fileSystem.isDistributedFS() || !file.exists() || file.canRead()) {
                throw e;
            }
            throw new UserException(
                    path
                            + " cannot be read: permission denied for the user "
                            + System.getProperty("user.name")
                            + "; grant it read permission, or leave the file out of the data.",
                    e);
        }
    }
}
