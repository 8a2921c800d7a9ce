package io.lockstep.ownership;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Optional;
import java.util.Set;

/**
 * A file that one process has locked. The lock is the operating system's, so it always ends with
 * the process.
 *
 * <p>Never open the lock file of a living owner in the same process: closing any channel on a file
 * releases all locks that the process has on it, including those of other class loaders.
 */
public final class LockFile implements AutoCloseable {

    private final Path path;
    private final FileChannel channel;

    private LockFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates a file that only this user may open, and locks it.
     *
     * @return empty if a sweep of another process deleted it before it was locked
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    static Optional<LockFile> create(Path path) throws IOException {
        return take(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OwnerOnly.file());
    }

    /**
     * Locks an existing file.
     *
     * @return empty if its owner is alive
     * @throws java.nio.file.NoSuchFileException if the file does not exist
     */
    static Optional<LockFile> open(Path path) throws IOException {
        return take(path, Set.of(StandardOpenOption.WRITE));
    }

    /**
     * Locks a file; creates it if it does not exist.
     *
     * @return empty if its owner is alive
     */
    public static Optional<LockFile> openOrCreate(Path path) throws IOException {
        return take(path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    private static Optional<LockFile> take(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        FileChannel channel = FileChannel.open(path, options, attributes);
        boolean taken = false;
        try {
            taken = channel.tryLock() != null && Files.exists(path);
        } catch (OverlappingFileLockException e) {
            // Another thread of this process holds the lock.
        } finally {
            if (!taken) {
                channel.close();
            }
        }
        return taken ? Optional.of(new LockFile(path, channel)) : Optional.empty();
    }

    /** Replaces the file's content, which describes the owner to other processes. */
    public void describe(String owner) throws IOException {
        channel.truncate(0);
        channel.write(StandardCharsets.UTF_8.encode(owner), 0);
    }

    Path path() {
        return path;
    }

    /** Releases the lock; the file stays. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
