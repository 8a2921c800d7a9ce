package io.lockstep.cache;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a cache directory that one store owns: a subdirectory, and beside it a file that the
 * owner keeps locked as long as it lives.
 *
 * <p>The lock is taken before the subdirectory is made, and the subdirectory is deleted before the
 * lock's file; so whoever gets the lock of another process' file knows that its owner is dead, and
 * no subdirectory is ever without a lock's file.
 */
final class StoreDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreDirectory.class);
    private static final String LOCK_SUFFIX = ".lock";

    private final Path path;
    private final Path lockFile;
    private final FileChannel lock;

    private StoreDirectory(Path path, Path lockFile, FileChannel lock) {
        this.path = path;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** Deletes what dead processes left in the cache directory, and makes a new subdirectory. */
    static StoreDirectory open(Path cache) throws IOException {
        Files.createDirectories(cache);
        deleteOrphans(cache);
        while (true) {
            String name = processName() + "-" + UUID.randomUUID();
            Path lockFile = cache.resolve(name + LOCK_SUFFIX);
            FileChannel lock =
                    FileChannel.open(
                            lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            // Another process that looks for orphans may come between; then a new name is tried.
            if (lock.tryLock() != null && Files.exists(lockFile)) {
                return new StoreDirectory(
                        Files.createDirectory(cache.resolve(name)), lockFile, lock);
            }
            lock.close();
        }
    }

    Path path() {
        return path;
    }

    /**
     * Deletes the subdirectory with all that is in it, and what processes left that have died since
     * it was opened: nobody may open another store here.
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

    private static void deleteOrphans(Path cache) throws IOException {
        String own = processName() + "-";
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(cache, "*" + LOCK_SUFFIX)) {
            for (Path lockFile : locks) {
                if (!lockFile.getFileName().toString().startsWith(own)) {
                    deleteIfOrphan(lockFile);
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
        if (Files.exists(top)) {
            Files.walkFileTree(
                    top,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.deleteIfExists(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                                throws IOException {
                            if (failure != null) {
                                throw failure;
                            }
                            Files.deleteIfExists(visited);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        }
    }
}
