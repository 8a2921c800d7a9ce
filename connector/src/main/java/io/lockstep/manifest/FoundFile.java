package io.lockstep.manifest;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * A file of a dataset.
 *
 * @param path the file's path
 * @param length in bytes
 * @param modificationTime in milliseconds since 1970
 */
record FoundFile(Path path, long length, long modificationTime) {

    static FoundFile of(FileStatus status) {
        return new FoundFile(status.getPath(), status.getLen(), status.getModificationTime());
    }

    /** Returns the path without scheme and authority. */
    String name() {
        return path.toUri().getPath();
    }
}
