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

        private static final long MIB = 1L << 20;

        boolean holds(int slots, long slotBytes) {
            return slots * slotBytes <= usable;
        }

        /** Why so many slots of that size do not fit, with the size to set. */
        NoRoomException refusal(Path directory, int slots, long slotBytes) {
            long needed = mib(slots * slotBytes);
            long atLeast = mib(total - usable) + needed;
            // The next power of two.
            long size = Long.highestOneBit(2 * atLeast - 1);
            return new NoRoomException(
                    String.format(
                            "%1$s has %2$d MiB left of %3$d, and the hand-off to one trainer needs %4$d MiB"
                                    + " (%5$d slots of %6$d MiB): give it at least %7$d MiB, by"
                                    + " --shm-size=%7$dm under Docker or by an emptyDir with medium Memory"
                                    + " and sizeLimit %7$dMi at %1$s under Kubernetes",
                            directory,
                            usable / MIB,
                            total / MIB,
                            needed,
                            slots,
                            mib(slotBytes),
                            size));
        }

        private static long mib(long bytes) {
            return (bytes + MIB - 1) / MIB;
        }
    }

    Room of(Path directory) throws IOException;
}
