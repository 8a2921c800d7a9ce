package io.lockstep.cli.run;

import io.lockstep.UserException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Keeps a local run directory for one command at a time. The lock is the operating system's, so
 * that it goes with its process however that ends.
 */
final class RunLock implements AutoCloseable {

    private static final String NAME = "run.lock";

    private final FileChannel channel;

    private RunLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Makes the directory if need be and takes it.
     *
     * @throws UserException where it is in use, or holds something else than a run
     */
    static RunLock take(Path directory) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new UserException(
                    "the run directory " + directory + " is a file: choose another");
        }
        if (Files.isDirectory(directory)
                && !Files.exists(directory.resolve(NAME))
                && !Files.exists(directory.resolve("streams"))
                && !isEmpty(directory)) {
            throw new UserException(
                    "the directory "
                            + directory
                            + " holds files and no run: choose an empty one, or one that is not there"
                            + " yet");
        }
        FileChannel channel = open(directory);
        if (!isTaken(channel)) {
            channel.close();
            throw new UserException(
                    "the run directory "
                            + directory
                            + " is in use by another 'lockstep run': wait for it to end, or choose another"
                            + " directory");
        }
        return new RunLock(channel);
    }

    private static FileChannel open(Path directory) {
        try {
            Files.createDirectories(directory);
            return FileChannel.open(
                    directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UserException(
                    "the run directory "
                            + directory
                            + " cannot be made or written: choose another with run.directory or"
                            + " --run",
                    e);
        }
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
