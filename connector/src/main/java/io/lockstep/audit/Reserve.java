package io.lockstep.audit;

import io.lockstep.AtomicFile;
import java.io.IOException;
import java.util.UUID;
import org.apache.flink.core.fs.Path;

/**
 * Reserved space on the disk of a run directory, so that gaps can be written when the disk is full.
 * Used by one thread.
 */
final class Reserve {

    private static final int BYTES = 1 << 13;

    private final Path file;
    private boolean taken;

    Reserve(Path directory) {
        this.file = new Path(directory, ".reserve-" + UUID.randomUUID());
    }

    /** Reserves the space once, on local disks only; other file systems need no reserve. */
    void take() throws IOException {
        if (!taken && !file.getFileSystem().isDistributedFS()) {
            AtomicFile.write(file, new byte[BYTES]);
            taken = true;
        }
    }

    /** Releases the space. */
    void release() throws IOException {
        if (taken) {
            AtomicFile.delete(file);
            taken = false;
        }
    }
}
