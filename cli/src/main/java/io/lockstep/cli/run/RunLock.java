package io.lockstep.cli.run;

import io.lockstep.UserException;
import io.lockstep.ownership.LockFile;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Locks a local run directory for one command at a time. It is an operating system lock, so it is
 * released however the process ends.
 */
public final class RunLock implements AutoCloseable {

    private static final String NAME = "run.lock";

    private final LockFile lock;
    private final List<Path> made;

    private RunLock(LockFile lock, List<Path> made) {
        this.lock = lock;
        this.made = made;
    }

    /**
     * Creates the directory if necessary and locks it.
     *
     * @param verb of the command that locks it, to be shown to other commands
     * @throws UserException if it is locked, or contains something other than a run
     */
    public static RunLock take(Path directory, String verb) throws IOException {
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
        List<Path> missing = missing(directory);
        LockFile lock = open(directory);
        lock.describe(describe(verb));
        return new RunLock(lock, missing);
    }

    private static String describe(String verb) {
        return "'lockstep " + verb + "' (process " + ProcessHandle.current().pid() + ")";
    }

    /** The holder's description of itself, if it has been written. */
    private static String holder(Path directory) throws IOException {
        String described = Files.readString(directory.resolve(NAME));
        return described.isEmpty() ? "another command" : described;
    }

    /** What locking the directory creates: the lock and directories, the innermost first. */
    private static List<Path> missing(Path directory) {
        List<Path> missing = new ArrayList<>();
        Path path = directory.resolve(NAME);
        while (path != null && !Files.exists(path)) {
            missing.add(path);
            path = path.getParent();
        }
        return missing;
    }

    private static LockFile open(Path directory) throws IOException {
        Optional<LockFile> lock;
        try {
            Files.createDirectories(directory);
            lock = LockFile.openOrCreate(directory.resolve(NAME));
        } catch (IOException e) {
            throw new UserException(
                    "the run directory "
                            + directory
                            + " cannot be created or written: choose another with run.directory or"
                            + " --run",
                    e);
        }
        if (lock.isEmpty()) {
            throw new UserException(
                    "the run directory "
                            + directory
                            + " is in use by "
                            + holder(directory)
                            + ": wait for it to end, or choose another directory");
        }
        return lock.get();
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    /**
     * Releases the lock and deletes what locking created, unless files have been added since.
     *
     * @param added deleted first
     */
    void withdraw(Path... added) throws IOException {
        List<Path> all = new ArrayList<>(List.of(added));
        all.addAll(made);
        try (lock) {
            for (Path path : all) {
                Files.deleteIfExists(path);
            }
        } catch (DirectoryNotEmptyException e) {
            // Others have added files; keep them.
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
