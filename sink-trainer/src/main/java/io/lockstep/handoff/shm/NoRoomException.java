package io.lockstep.handoff.shm;

import java.nio.file.Path;

/** Shared memory cannot hold a batch. */
public final class NoRoomException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final long MIB = 1L << 20;

    private final String directory;
    private final long usedBytes;
    private final int slots;

    NoRoomException(Path directory, FreeSpace.Room room, int slots, long slotBytes) {
        super(
                String.format(
                        "%s has %d MiB left of %d, and the hand-off to one trainer needs %d MiB"
                                + " (%d slots of %d MiB)",
                        directory,
                        room.usable() / MIB,
                        room.total() / MIB,
                        mib(slots * slotBytes),
                        slots,
                        mib(slotBytes)));
        this.directory = directory.toString();
        this.usedBytes = room.total() - room.usable();
        this.slots = slots;
    }

    /**
     * Returns the message, with a size that suffices for all trainers.
     *
     * @param stepBytes one step of every stream
     */
    public String withSizeFor(long stepBytes) {
        long atLeast = mib(usedBytes + slots * SlotFile.withHeadroom(stepBytes));
        long size = nextPowerOfTwo(atLeast);
        return String.format(
                "%1$s; for all trainers of the run give it at least %2$d MiB, by --shm-size=%2$dm under"
                        + " Docker or by an emptyDir with medium Memory and sizeLimit %2$dMi at %3$s under"
                        + " Kubernetes",
                getMessage(), size, directory);
    }

    private static long nextPowerOfTwo(long number) {
        return Long.highestOneBit(2 * number - 1);
    }

    private static long mib(long bytes) {
        return (bytes + MIB - 1) / MIB;
    }
}
