package io.lockstep.cache;

import io.lockstep.ownership.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes and deletes the files of a store in its directory. Thread-safe. */
class RowGroupDisk {

    private static final Logger LOG = LoggerFactory.getLogger(RowGroupDisk.class);

    private final Path directory;
    private final AtomicLong written = new AtomicLong();

    RowGroupDisk(Path directory) {
        this.directory = directory;
    }

    Path directory() {
        return directory;
    }

    long usableBytes() {
        return directory.toFile().getUsableSpace();
    }

    /**
     * Writes a row group into a new file. If the directory was deleted it is created again.
     *
     * @throws IOException if the write fails; see {@link #isFull}
     */
    RowGroupFile write(RowGroupKey key, VectorSchemaRoot root) throws IOException {
        // Numbered, because an evicted row group may be loaded again before its file is deleted.
        String name = key.digest() + "-" + written.getAndIncrement() + ".arrow";
        Path path = directory.resolve(name);
        try {
            return RowGroupFile.write(path, root);
        } catch (NoSuchFileException e) {
            LOG.warn(
                    "The cache directory {} was deleted while it was in use; it is created again.",
                    directory);
            OwnerOnly.ensureDirectory(directory);
            return RowGroupFile.write(path, root);
        }
    }

    /**
     * Whether a write of this many bytes failed because the disk or the user's quota is full. Also
     * checks the free space, because the system's message may be in any language.
     */
    boolean isFull(IOException failure, long bytes) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left")
                || message.contains("quota exceeded")
                || usableBytes() < bytes;
    }

    /** Deletes a file; a failure is logged, because the caller does not need the file any more. */
    void delete(RowGroupFile file) {
        try {
            Files.deleteIfExists(file.path());
        } catch (IOException e) {
            LOG.warn("Cannot delete {}, which takes disk space: {}", file.path(), e, e);
        }
    }
}
