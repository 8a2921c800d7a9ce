package io.lockstep.ownership;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Deletes files and directories that others may still write to. */
final class Trees {

    /** The maximum number of attempts to delete a tree that another thread still writes to. */
    private static final int PASSES = 5;

    /** Ignores files that disappear concurrently. */
    private static final FileVisitor<Path> DELETION =
            new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                        throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure)
                        throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                        throws IOException {
                    if (failure != null && !(failure instanceof NoSuchFileException)) {
                        throw failure;
                    }
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            };

    private Trees() {}

    /** Deletes a file, or a directory with its content; does nothing if it does not exist. */
    static void delete(Path top) throws IOException {
        for (int pass = 1; Files.exists(top, LinkOption.NOFOLLOW_LINKS); pass++) {
            try {
                Files.walkFileTree(top, DELETION);
            } catch (DirectoryNotEmptyException e) {
                if (pass == PASSES) {
                    throw e;
                }
            }
        }
    }
}
