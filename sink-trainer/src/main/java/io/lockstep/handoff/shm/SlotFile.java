package io.lockstep.handoff.shm;

import io.lockstep.cache.Unmapper;
import io.lockstep.ownership.OwnedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A file of shared memory with slots of equal size. Each slot has its own mapping, since a Java
 * mapping has at most 2 GiB. The file is written in full before it is mapped, so that a full file
 * system raises an exception here instead of a crash later, and it is never truncated. Not
 * thread-safe.
 */
final class SlotFile {

    /** Slots start at multiples of a page, as mappings must. */
    private static final long PAGE = 4096;

    private static final int CHUNK = 1 << 20;

    /** The largest slot: one mapping. */
    static final long MAX_SLOT_BYTES = (1L << 31) - CHUNK;

    private final Path path;
    private final long slotBytes;
    private final List<MappedByteBuffer> mappings;
    private final Deque<Integer> free = new ArrayDeque<>();
    private boolean retired;

    private SlotFile(Path path, long slotBytes, List<MappedByteBuffer> mappings) {
        this.path = path;
        this.slotBytes = slotBytes;
        this.mappings = mappings;
        for (int slot = 0; slot < mappings.size(); slot++) {
            free.add(slot);
        }
    }

    /**
     * Creates the file and allocates its memory.
     *
     * @param slotBytes at most {@link #MAX_SLOT_BYTES}; a multiple of {@link #PAGE}
     */
    static SlotFile create(OwnedFiles files, String suffix, int slots, long slotBytes)
            throws NoRoomException, IOException {
        Path path = files.resolve(suffix);
        try (FileChannel channel = files.createFile(suffix)) {
            writeThrough(channel, slots * slotBytes);
            List<MappedByteBuffer> mappings = new ArrayList<>(slots);
            for (int slot = 0; slot < slots; slot++) {
                mappings.add(channel.map(MapMode.READ_WRITE, slot * slotBytes, slotBytes));
            }
            return new SlotFile(path, slotBytes, mappings);
        } catch (IOException e) {
            Files.deleteIfExists(path);
            FreeSpace.Room room = FreeSpace.OF_FILE_STORE.of(path.getParent());
            if (room.holds(slots, slotBytes)) {
                throw e;
            }
            throw new NoRoomException(path.getParent(), room, slots, slotBytes);
        }
    }

    private static void writeThrough(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, CHUNK));
        try {
            for (long left = bytes; left > 0; ) {
                zeros.clear().limit((int) Math.min(left, CHUNK));
                left -= channel.write(zeros);
            }
        } finally {
            Unmapper.unmap(zeros);
        }
    }

    /** Returns the slot size for a batch: with room for a somewhat larger one, in whole pages. */
    static long slotBytesFor(long batchBytes) {
        return Math.min(MAX_SLOT_BYTES, (withHeadroom(batchBytes) + PAGE - 1) / PAGE * PAGE);
    }

    /** The bytes reserved for batches of that size. */
    static long withHeadroom(long batchBytes) {
        return batchBytes + batchBytes / 8;
    }

    Path path() {
        return path;
    }

    long slotBytes() {
        return slotBytes;
    }

    /** Takes a free slot; returns -1 if all are taken. */
    int take() {
        return free.isEmpty() ? -1 : free.poll();
    }

    boolean hasFree() {
        return !free.isEmpty();
    }

    /** Frees a slot; deletes a retired file with its last slot. */
    void release(int slot) throws IOException {
        free.add(slot);
        if (retired && allFree()) {
            release();
        }
    }

    long address(int slot) {
        return MemoryUtil.getByteBufferAddress(mappings.get(slot));
    }

    long offset(int slot) {
        return slot * slotBytes;
    }

    /** Retires the file: it is deleted now, or when its last slot is free. */
    void retire() throws IOException {
        retired = true;
        if (allFree()) {
            release();
        }
    }

    private boolean allFree() {
        return free.size() == mappings.size();
    }

    private void release() throws IOException {
        try {
            Files.deleteIfExists(path);
        } finally {
            mappings.forEach(Unmapper::unmap);
            mappings.clear();
        }
    }
}
