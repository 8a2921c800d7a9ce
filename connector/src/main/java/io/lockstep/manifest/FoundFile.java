package io.lockstep.manifest;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * A file that belongs to a dataset.
 *
 * @param path where it lies
 * @param length in bytes
 * @param modificationTime in milliseconds since 1970
 */
record FoundFile(Path path, long length, long modificationTime) {

    static FoundFile of(FileStatus status) {
        return new FoundFile(status.getPath(), status.getLen(), status.getModificationTime());
    }

    /** The path alone, without scheme and authority. */
    String name() {
        return path.toUri().getPath();
    }
}
