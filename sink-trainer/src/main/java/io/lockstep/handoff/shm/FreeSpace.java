package io.lockstep.handoff.shm;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks how much room a directory in memory has, before a file is made there. */
@FunctionalInterface
interface FreeSpace {

    FreeSpace OF_FILE_STORE =
            directory -> {
                FileStore store = Files.getFileStore(directory);
                return new Room(store.getTotalSpace(), store.getUsableSpace());
            };

    /** Bytes in all, and those that can still be written. */
    record Room(long total, long usable) {

        boolean holds(int slots, long slotBytes) {
            return slots * slotBytes <= usable;
        }
    }

    Room of(Path directory) throws IOException;
}
