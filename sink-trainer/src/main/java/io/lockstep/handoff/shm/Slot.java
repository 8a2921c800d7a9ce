package io.lockstep.handoff.shm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * A place for one batch in shared memory. The server takes and writes it; then the client owns it.
 */
public final class Slot {

    private final SlotConnection connection;
    private final SlotFile file;
    private final int place;
    private final long number;
    private final Content content;
    private boolean written;

    Slot(SlotConnection connection, SlotFile file, int place, long number, Content content) {
        this.connection = connection;
        this.file = file;
        this.place = place;
        this.number = number;
        this.content = content;
    }

    /** The slot's present or future content. */
    public record Content(Object position, long bytes, int rows) {}

    /** Writes the batch at an address; frees the slot if that fails. */
    public void write(LongConsumer writing) throws IOException {
        boolean done = false;
        try {
            writing.accept(file.address(place));
            done = true;
        } finally {
            if (done) {
                connection.written(this);
            } else {
                connection.abandon(this);
            }
        }
    }

    /** Never used twice within a connection. */
    public long number() {
        return number;
    }

    public Path path() {
        return file.path();
    }

    /** The slot's offset in the file, a multiple of a page. */
    public long offset() {
        return file.offset(place);
    }

    public SlotFile file() {
        return file;
    }

    int place() {
        return place;
    }

    public Content content() {
        return content;
    }

    boolean isWritten() {
        return written;
    }

    void markWritten() {
        written = true;
    }
}
