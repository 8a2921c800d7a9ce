package io.lockstep.ownership;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of one owner in a shared directory. Their names begin with the same prefix, and one of them
 * is a {@link LockFile} that stays locked while the owner's process is alive.
 *
 * <p>The lock file is created first and deleted last. So a process that acquires another owner's
 * lock knows that the owner is dead, and files without a lock file were written after their owner's
 * end. The lock file of a live owner in this process is never opened.
 *
 * <p>The files are deleted by {@link #close()}, or at the JVM's normal exit, for example on
 * SIGTERM. Thread-safe.
 */
public final class OwnedFiles implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedFiles.class);
    private static final String FAMILY = "lockstep-";
    private static final String LOCK = ".lock";

    /** All other files of the directory are left alone. */
    private static final Pattern PREFIX =
            Pattern.compile("(" + FAMILY + ".+?-\\d+-(\\d+\\.\\d+\\.\\d+))(\\D.*)?");

    private final Path directory;
    private final String prefix;
    private final LockFile lock;

    /** The shutdown hook, removed by {@link #close()} so that it keeps no class loader alive. */
    private final Thread atExit;

    private boolean deleted;

    private OwnedFiles(Path directory, String prefix, LockFile lock) {
        this.directory = directory;
        this.prefix = prefix;
        this.lock = lock;
        this.atExit = new Thread(this::deleteAtExit, "lockstep-owned-files-exit");
    }

    /**
     * Claims a prefix.
     *
     * @param name of the owner: letters, digits and hyphens; unique within the process
     */
    public static OwnedFiles claim(Path directory, String name) throws IOException {
        for (int trial = 0; ; trial++) {
            String prefix = FAMILY + name + "-" + trial + "-" + ProcessIdentity.own();
            Optional<LockFile> lock = LockFile.create(directory.resolve(prefix + LOCK));
            if (lock.isPresent()) {
                OwnedFiles files = new OwnedFiles(directory, prefix, lock.get());
                files.deleteWithTheProcess();
                return files;
            }
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
        return new IOException("no file is created in " + directory + " any more", cause);
    }

    /**
     * Creates a file of this owner that only this user can read and write.
     *
     * @throws IOException also if the files were already deleted
     */
    public synchronized FileChannel createFile(String suffix) throws IOException {
        if (deleted) {
            throw ending(null);
        }
        Set<OpenOption> options =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        return FileChannel.open(resolve(suffix), options, OwnerOnly.file());
    }

    /** Creates the directory of this owner, for this user only; at most once. */
    synchronized Path createDirectory() throws IOException {
        if (deleted) {
            throw ending(null);
        }
        return Files.createDirectory(resolve(""), OwnerOnly.directory());
    }

    /** The path of a file of this owner. */
    public Path resolve(String suffix) {
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

    /** Only after everything is deleted, because the process may be terminated at any time. */
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
            LOG.warn("Cannot delete {} in {}", prefix, directory, e);
        }
    }

    private synchronized void delete() throws IOException {
        deleted = true;
        deleteAll(directory, prefix);
    }

    /** Deletes the files of dead processes and leaves those of live ones alone. */
    public static void sweep(Path directory) throws IOException {
        Set<String> prefixes = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, FAMILY + "*")) {
            for (Path file : files) {
                Matcher matcher = PREFIX.matcher(file.getFileName().toString());
                if (matcher.matches() && !isAlive(directory, matcher.group(1), matcher.group(2))) {
                    prefixes.add(matcher.group(1));
                }
            }
        }
        for (String prefix : prefixes) {
            sweepIfDead(directory, prefix);
        }
    }

    private static boolean isAlive(Path directory, String prefix, String process) {
        return process.equals(ProcessIdentity.own())
                && Files.exists(directory.resolve(prefix + LOCK));
    }

    private static void sweepIfDead(Path directory, String prefix) {
        try {
            Path lockFile = directory.resolve(prefix + LOCK);
            if (!Files.exists(lockFile)) {
                deleteAll(directory, prefix);
                return;
            }
            Optional<LockFile> held = LockFile.open(lockFile);
            if (held.isPresent()) {
                try (LockFile lock = held.get()) {
                    deleteAll(directory, prefix);
                }
                LOG.info("Deleted {} in {}, which a dead process left.", prefix, directory);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted by another process.", prefix);
        } catch (IOException e) {
            // Usually another user's.
            LOG.debug("Cannot tell whether the owner of {} lives, so it is left.", prefix, e);
        }
    }

    private static void deleteAll(Path directory, String prefix) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path file : files) {
                String rest = file.getFileName().toString().substring(prefix.length());
                boolean isOfAnother = !rest.isEmpty() && Character.isDigit(rest.charAt(0));
                if (!rest.equals(LOCK) && !isOfAnother) {
                    Trees.delete(file);
                }
            }
        }
        Files.deleteIfExists(directory.resolve(prefix + LOCK));
    }
}
