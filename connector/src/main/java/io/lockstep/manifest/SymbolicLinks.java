package io.lockstep.manifest;

import io.lockstep.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileSystem;

/** Names symbolic links of a local dataset that lead to nothing or to a directory above them. */
final class SymbolicLinks {

    private SymbolicLinks() {}

    /**
     * @throws UserException if the path is a link to nothing
     */
    static void checkTarget(FileSystem fileSystem, org.apache.flink.core.fs.Path path) {
        if (!fileSystem.isDistributedFS()) {
            checkTarget(Path.of(path.getPath()));
        }
    }

    /**
     * @throws UserException if an entry of the directory is a link to nothing
     */
    static void checkTargets(FileSystem fileSystem, org.apache.flink.core.fs.Path directory)
            throws IOException {
        if (!fileSystem.isDistributedFS()) {
            try (Stream<Path> entries = Files.list(Path.of(directory.getPath()))) {
                entries.forEach(SymbolicLinks::checkTarget);
            }
        }
    }

    private static void checkTarget(Path path) {
        if (Files.isSymbolicLink(path) && !Files.exists(path)) {
            throw new UserException(
                    "The symbolic link "
                            + path
                            + " leads to "
                            + target(path)
                            + ", which does not exist; correct or remove the link.");
        }
    }

    /**
     * @throws UserException if the directory is a link to one of the directories above it, which
     *     would be listed without end
     */
    static void checkLoop(FileSystem fileSystem, org.apache.flink.core.fs.Path directory)
            throws IOException {
        if (fileSystem.isDistributedFS()) {
            return;
        }
        Path link = Path.of(directory.getPath());
        if (!Files.isSymbolicLink(link)) {
            return;
        }
        Path target = link.toRealPath();
        for (Path above = link.getParent(); above != null; above = above.getParent()) {
            if (above.toRealPath().equals(target)) {
                throw new UserException(
                        "The symbolic link "
                                + link
                                + " leads to "
                                + target
                                + ", a directory above it, so that its files never end; remove the"
                                + " link.");
            }
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "a file";
        }
    }
}
