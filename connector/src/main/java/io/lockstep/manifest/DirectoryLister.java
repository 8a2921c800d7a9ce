package io.lockstep.manifest;

import io.lockstep.RemoteCalls;
import io.lockstep.UserException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Lists a directory and reports names that Flink's file systems cannot handle. */
public final class DirectoryLister {

    private DirectoryLister() {}

    /** Returns the entries of a directory, except names that begin with {@code _} or {@code .}. */
    static List<FileStatus> list(FileSystem fileSystem, Path directory) throws IOException {
        List<FileStatus> visible = new ArrayList<>();
        for (FileStatus entry : all(fileSystem, directory)) {
            String name = entry.getPath().getName();
            if (!name.startsWith("_") && !name.startsWith(".")) {
                visible.add(entry);
            }
        }
        return visible;
    }

    /**
     * Returns all entries of a directory.
     *
     * @throws FileNotFoundException if the directory no longer exists
     * @throws UserException if it contains a name that Flink's file systems cannot list
     */
    public static FileStatus[] all(FileSystem fileSystem, Path directory) throws IOException {
        FileStatus[] entries;
        try {
            entries = RemoteCalls.call(directory, () -> fileSystem.listStatus(directory));
        } catch (IllegalArgumentException | NullPointerException e) {
            // Flink parses the part of a name before a colon as a scheme, and fails in one of these
            // ways on the rest.
            throw unlistable(directory, "a colon", e);
        } catch (FileNotFoundException e) {
            // It also converts a backslash to '/' and looks for a file that does not exist.
            SymbolicLinks.checkTargets(fileSystem, directory);
            if (!fileSystem.isDistributedFS() && hasBackslash(directory)) {
                throw unlistable(directory, "a backslash", e);
            }
            throw e;
        }
        if (entries == null) {
            throw new UserException(
                    "The directory "
                            + directory
                            + " cannot be listed by the user "
                            + System.getProperty("user.name")
                            + "; grant it read permission, or name other data.");
        }
        return entries;
    }

    private static UserException unlistable(Path directory, String what, Exception cause) {
        return new UserException(
                "The directory "
                        + directory
                        + " holds a name with "
                        + what
                        + ", and Flink's file systems cannot list it; rename that file or directory, or"
                        + " move it out of there.",
                cause);
    }

    private static boolean hasBackslash(Path directory) throws IOException {
        try (Stream<java.nio.file.Path> files =
                Files.list(java.nio.file.Path.of(directory.getPath()))) {
            return files.anyMatch(file -> file.getFileName().toString().indexOf('\\') >= 0);
        }
    }
}
