package io.lockstep.handoff.shm;

import java.io.IOException;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The slots through which one trainer gets the batches of one stream.
 *
 * <p>A slot is taken, written without holding the lock, and owned by the client until the client
 * frees it. If a batch does not fit into the current file, a larger file is created; the previous
 * one is deleted when its last slot is free. Thread-safe.
 */
public final class SlotConnection implements AutoCloseable {

    private final SharedMemory memory;
    private final String id;
    private final Map<Long, Slot> taken = new LinkedHashMap<>();
    private SlotFile file;
    private int files;
    private long lastNumber;
    private boolean closed;

    SlotConnection(SharedMemory memory, String id) {
        this.memory = memory;
        this.id = id;
    }

    /** The id by which the client names it. */
    public String id() {
        return id;
    }

    /**
     * Takes a slot to write a batch into.
     *
     * @param position identifies the content, for {@link #written}
     * @param bytes at most {@link SharedMemory#MAX_BATCH_BYTES}
     * @return empty if the client holds all slots or the connection is closed
     */
    public synchronized Optional<Slot> take(Object position, long bytes, int rows)
            throws NoRoomException, IOException {
        if (closed) {
            return Optional.empty();
        }
        if (file == null || file.slotBytes() < bytes) {
            if (file != null) {
                file.retire();
                file = null;
            }
            file = memory.create(id, files++, SlotFile.slotBytesFor(bytes));
        }
        int place = file.take();
        if (place < 0) {
            return Optional.empty();
        }
        Slot slot =
                new Slot(this, file, place, ++lastNumber, new Slot.Content(position, bytes, rows));
        taken.put(slot.number(), slot);
        return Optional.of(slot);
    }

    /** Whether the client holds all slots and has to free one first. */
    public synchronized boolean isFull() {
        return file != null && !file.hasFree();
    }

    /** The slot with this content, if the client has not freed it yet. */
    public synchronized Optional<Slot> written(Object position) {
        return taken.values().stream()
                .filter(slot -> slot.isWritten() && slot.content().position().equals(position))
                .findFirst();
    }

    /** Frees slots that the client has copied. Ignores slots that are already free. */
    public synchronized void free(Collection<Long> numbers) throws IOException {
        for (Long number : numbers) {
            Slot slot = taken.get(number);
            if (slot != null && slot.isWritten()) {
                release(slot);
            }
        }
    }

    synchronized void abandon(Slot slot) throws IOException {
        release(slot);
    }

    synchronized void written(Slot slot) throws IOException {
        slot.markWritten();
        if (closed) {
            release(slot);
        }
    }

    private void release(Slot slot) throws IOException {
        if (taken.remove(slot.number()) != null) {
            slot.file().release(slot.place());
        }
    }

    /** The number of slots in a file, for messages. */
    public int slots() {
        return memory.slots();
    }

    /** Deletes the files; memory that is being written is unmapped after the write. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (file != null) {
            file.retire();
        }
        Iterator<Slot> slots = taken.values().iterator();
        while (slots.hasNext()) {
            Slot slot = slots.next();
            if (slot.isWritten()) {
                slots.remove();
                slot.file().release(slot.place());
            }
        }
    }
}
