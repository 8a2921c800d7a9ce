package io.lockstep.cache;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a common directory that one owner has: a subdirectory, and beside it a file that the
 * owner keeps locked as long as it lives.
 *
 * <p>The lock is taken before the subdirectory is made, and the subdirectory is deleted before the
 * lock's file; so whoever gets the lock of another process' file knows that its owner is dead, and
 * a subdirectory without a lock's file is one that was written to after its end.
 */
public final class OwnedDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedDirectory.class);
    private static final String LOCK_SUFFIX = ".lock";

    /** Whoever names a common directory may have other things there: they are left alone. */
    private static final Pattern SUBDIRECTORY =
            Pattern.compile("\\d+-[0-9a-f]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private static final Pattern LOCK =
            Pattern.compile(SUBDIRECTORY.pattern() + Pattern.quote(LOCK_SUFFIX));

    /** How often a tree is deleted into which somebody still writes. */
    private static final int PASSES = 5;

    /** Passes over what goes by itself meanwhile. */
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

    private final Path path;
    private final Path lockFile;
    private final FileChannel lock;

    private OwnedDirectory(Path path, Path lockFile, FileChannel lock) {
        this.path = path;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** Deletes what dead processes left in the common directory, and makes a new subdirectory. */
    public static OwnedDirectory open(Path common) throws IOException {
        Files.createDirectories(common);
        deleteOrphans(common);
        while (true) {
            String name = processName() + "-" + UUID.randomUUID();
            Path lockFile = common.resolve(name + LOCK_SUFFIX);
            FileChannel lock =
                    FileChannel.open(
                            lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            // Another process that looks for orphans may come between; then a new name is tried.
            if (lock.tryLock() != null && Files.exists(lockFile)) {
                return new OwnedDirectory(
                        Files.createDirectory(common.resolve(name)), lockFile, lock);
            }
            lock.close();
        }
    }

    public Path path() {
        return path;
    }

    /**
     * Deletes the subdirectory with all that is in it, and what processes left that have died since
     * it was opened: nobody may open another one here. May be called again, and by any thread.
     */
    @Override
    public void close() throws IOException {
        try (lock) {
            deleteTree(path);
            Files.deleteIfExists(lockFile);
        }
        if (Files.isDirectory(lockFile.getParent())) {
            deleteOrphans(lockFile.getParent());
        }
    }

    /**
     * This process, told apart from every other that ran under the same number before. A lock's
     * file of one's own process must not even be opened: closing any channel on a file gives up all
     * of the process' locks on it, also those of other stores and other class loaders.
     */
    private static String processName() {
        return ProcessHandle.current().pid()
                + "-"
                + Long.toHexString(ManagementFactory.getRuntimeMXBean().getStartTime());
    }

    private static void deleteOrphans(Path common) throws IOException {
        String own = processName() + "-";
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(common)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (LOCK.matcher(name).matches() && !name.startsWith(own)) {
                    deleteIfOrphan(entry);
                } else if (SUBDIRECTORY.matcher(name).matches()
                        && !Files.exists(entry.resolveSibling(name + LOCK_SUFFIX))) {
                    deleteTree(entry);
                }
            }
        }
    }

    private static void deleteIfOrphan(Path lockFile) {
        String file = lockFile.getFileName().toString();
        Path directory =
                lockFile.resolveSibling(file.substring(0, file.length() - LOCK_SUFFIX.length()));
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            if (held != null) {
                deleteTree(directory);
                Files.deleteIfExists(lockFile);
                LOG.info("Deleted {}, which a dead process left.", directory);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted by another process.", directory);
        } catch (OverlappingFileLockException e) {
            LOG.debug("Another thread of this process looks at {}.", directory);
        } catch (IOException e) {
            LOG.warn("Cannot tell whether {} is in use, so it is left: {}", directory, e, e);
        }
    }

    private static void deleteTree(Path top) throws IOException {
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
