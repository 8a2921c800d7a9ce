package io.lockstep.ownership;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A subdirectory of a common directory that one owner has as long as it lives. Only this user may
 * use it. It is deleted by {@link #close}, by the orderly end of the process, or after a crash by
 * the next owner that opens or closes one in the same place.
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

    /** Deletes what dead processes left in the common directory, and makes a new subdirectory. */
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
     * Deletes the subdirectory with all that is in it, and those of processes that have died since
     * it was opened. May be called again, and by any thread.
     */
    @Override
    public void close() throws IOException {
        files.close();
        if (Files.isDirectory(common)) {
            OwnedFiles.sweep(common);
        }
    }
}
