package io.lockstep.ownership;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A subdirectory of a shared directory that belongs to one owner. Only this user may access it. It
 * is deleted by {@link #close}, at the normal exit of the process, or after a crash by the next
 * owner that opens or closes one in the same directory.
 */
public final class OwnedDirectory implements AutoCloseable {

    private final Path common;
    private final OwnedFiles files;
    private final Path path;

    private OwnedDirectory(Path common, OwnedFiles files, Path path) {
        this.common = common;
        this.files = files;
        this.path = path;
    }

    /** Deletes the subdirectories of dead processes, and creates a new one. */
    public static OwnedDirectory open(Path common) throws IOException {
        Files.createDirectories(common);
        OwnedFiles.sweep(common);
        OwnedFiles files = OwnedFiles.claim(common, UUID.randomUUID().toString());
        try {
            return new OwnedDirectory(common, files, files.createDirectory());
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    public Path path() {
        return path;
    }

    /**
     * Deletes the subdirectory with its content, and those of processes that have died since it was
     * opened. Idempotent; may be called on any thread.
     */
    @Override
    public void close() throws IOException {
        files.close();
        if (Files.isDirectory(common)) {
            OwnedFiles.sweep(common);
        }
    }
}
