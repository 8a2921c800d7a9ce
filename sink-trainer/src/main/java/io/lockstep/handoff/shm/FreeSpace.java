package io.lockstep.handoff.shm;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the free space of a directory in memory before a file is created there. */
@FunctionalInterface
interface FreeSpace {

    FreeSpace OF_FILE_STORE =
            directory -> {
                FileStore store = Files.getFileStore(directory);
                return new Room(store.getTotalSpace(), store.getUsableSpace());
            };

    /** The bytes in total, and those that can still be written. */
    record Room(long total, long usable) {

        boolean holds(int slots, long slotBytes) {
            return slots * slotBytes <= usable;
        }
    }

    Room of(Path directory) throws IOException;
}
