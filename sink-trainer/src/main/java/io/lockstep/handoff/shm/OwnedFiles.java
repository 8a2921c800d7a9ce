package io.lockstep.handoff.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that one server has in a directory of shared memory: all begin with the same prefix,
 * and one of them is locked as long as the server's process lives.
 *
 * <p>The lock's file is the first to be made and the last to be deleted. So whoever gets the lock
 * of another process' file knows that its owner is dead, and no file is ever without a lock's file.
 * A lock's file of one's own process is never opened: closing any channel on it would give up the
 * lock, also that of another class loader's server.
 *
 * <p>The files are deleted by {@link #close()}, else by the JVM's orderly end, on SIGTERM for
 * instance. Thread-safe.
 */
final class OwnedFiles implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedFiles.class);
    private static final String FAMILY = "lockstep-";
    private static final String LOCK = ".lock";
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final String prefix;
    private final FileChannel lock;

    /** Known to the JVM until {@link #close()}, so that it keeps no class loader alive. */
    private final Thread atExit;

    private boolean deleted;

    private OwnedFiles(Path directory, String prefix, FileChannel lock) {
        this.directory = directory;
        this.prefix = prefix;
        this.lock = lock;
        this.atExit = new Thread(this::deleteAtExit, "lockstep-shm-exit");
    }

    /**
     * Takes a prefix of one's own.
     *
     * @param name of the server: letters, digits and hyphens, never used twice by one process
     */
    static OwnedFiles claim(Path directory, String name) throws IOException {
        for (int trial = 0; ; trial++) {
            String prefix = FAMILY + name + "-" + trial + "-" + ProcessIdentity.own();
            Path lockFile = directory.resolve(prefix + LOCK);
            FileChannel lock = create(lockFile);
            // A sweep of another process may have taken the file before it was locked.
            if (lock.tryLock() != null && Files.exists(lockFile)) {
                OwnedFiles files = new OwnedFiles(directory, prefix, lock);
                files.deleteWithTheProcess();
                return files;
            }
            lock.close();
        }
    }

    private void deleteWithTheProcess() throws IOException {
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            close();
            throw ending(e);
        }
    }

    private IOException ending(Throwable cause) {
        return new IOException("no shared memory is taken in " + directory + " any more", cause);
    }

    /**
     * Makes a file of this owner, to be read and written.
     *
     * @throws IOException also when the files were deleted already
     */
    synchronized FileChannel create(String suffix) throws IOException {
        if (deleted) {
            throw ending(null);
        }
        return create(resolve(suffix));
    }

    /** Makes a file for the eyes of the owning user only. */
    private static FileChannel create(Path file) throws IOException {
        Set<OpenOption> options =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        return FileChannel.open(file, options, OWNER_ONLY);
    }

    /** The path of a file of this owner. */
    Path resolve(String suffix) {
        return directory.resolve(prefix + suffix);
    }

    /** Deletes all files of this owner. */
    @Override
    public void close() throws IOException {
        try (lock) {
            delete();
        }
        forgetAtExit();
    }

    /** Only when all is deleted: the process may be asked to end at any time. */
    private void forgetAtExit() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("The process ends, so that {} need not be forgotten.", prefix, e);
        }
    }

    private void deleteAtExit() {
        try {
            delete();
        } catch (IOException e) {
            LOG.warn("Cannot delete the shared memory {} in {}", prefix, directory, e);
        }
    }

    private synchronized void delete() throws IOException {
        deleted = true;
        deleteAll(directory, prefix);
    }

    /** Deletes the files of dead processes; those of living ones are left alone. */
    static void sweep(Path directory) throws IOException {
        String own = ProcessIdentity.own() + LOCK;
        try (DirectoryStream<Path> locks =
                Files.newDirectoryStream(directory, FAMILY + "*" + LOCK)) {
            for (Path lockFile : locks) {
                if (!lockFile.getFileName().toString().endsWith("-" + own)) {
                    sweepIfDead(directory, lockFile);
                }
            }
        }
    }

    private static void sweepIfDead(Path directory, Path lockFile) {
        String name = lockFile.getFileName().toString();
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            if (held != null) {
                deleteAll(directory, name.substring(0, name.length() - LOCK.length()));
                LOG.info("Deleted the shared memory {} that a dead process left.", name);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted by another process.", lockFile);
        } catch (OverlappingFileLockException e) {
            LOG.debug("Another thread of this process looks at {}.", lockFile);
        } catch (IOException e) {
            // Another user's, as a rule.
            LOG.debug("Cannot tell whether the owner of {} lives, so it is left.", lockFile, e);
        }
    }

    private static void deleteAll(Path directory, String prefix) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path file : files) {
                if (!file.getFileName().toString().equals(prefix + LOCK)) {
                    Files.deleteIfExists(file);
                }
            }
        }
        Files.deleteIfExists(directory.resolve(prefix + LOCK));
    }
}
