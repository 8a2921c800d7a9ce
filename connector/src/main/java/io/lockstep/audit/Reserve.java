package io.lockstep.audit;

import io.lockstep.AtomicFile;
import java.io.IOException;
import java.util.UUID;
import org.apache.flink.core.fs.Path;

/**
 * Some room on the disk of a run directory, so that gaps can be written when it is full. Used by
 * one thread.
 */
final class Reserve {

    private static final int BYTES = 1 << 13;

    private final Path file;
    private boolean taken;

    Reserve(Path directory) {
        this.file = new Path(directory, ".reserve-" + UUID.randomUUID());
    }

    /** Takes the room, once, on disks of this host; other file systems are not full in this way. */
    void take() throws IOException {
        if (!taken && !file.getFileSystem().isDistributedFS()) {
            AtomicFile.write(file, new byte[BYTES]);
            taken = true;
        }
    }

    /** Gives it back. */
    void release() throws IOException {
        if (taken) {
            AtomicFile.delete(file);
            taken = false;
        }
    }
}
