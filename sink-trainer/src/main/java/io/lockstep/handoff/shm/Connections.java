package io.lockstep.handoff.shm;

import io.lockstep.handoff.protocol.ErrorCode;
import io.lockstep.handoff.protocol.HandoffException;
import io.lockstep.handoff.state.StreamConsumer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared-memory connections of a server: one for each generation, rank and stream. A new one
 * takes the place of the former, whose client has lost it. Thread-safe.
 */
public final class Connections implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final SharedMemory memory;
    private final Map<StreamConsumer, SlotConnection> open = new HashMap<>();
    private final Map<StreamConsumer, String> refused = new HashMap<>();
    private boolean closed;

    Connections(SharedMemory memory) {
        this.memory = memory;
    }

    public synchronized SlotConnection attach(StreamConsumer owner) {
        if (closed) {
            throw unknown(owner);
        }
        dropIf(present -> present.equals(owner));
        SlotConnection connection = memory.connect(UUID.randomUUID().toString());
        open.put(owner, connection);
        return connection;
    }

    /** The connection, if that is still its name. */
    public synchronized SlotConnection get(StreamConsumer owner, String id) {
        SlotConnection connection = open.get(owner);
        if (connection == null || !connection.id().equals(id)) {
            throw unknown(owner);
        }
        return connection;
    }

    private static HandoffException unknown(StreamConsumer owner) {
        return new HandoffException(
                ErrorCode.UNKNOWN_CONNECTION,
                String.format(
                        "rank %d has no such connection for the stream '%s' here, or not any longer: attach"
                                + " again",
                        owner.rank(), owner.stream()));
    }

    /** Gives the memory of some connections back. */
    public synchronized void dropIf(Predicate<StreamConsumer> which) {
        Iterator<Map.Entry<StreamConsumer, SlotConnection>> entries = open.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<StreamConsumer, SlotConnection> entry = entries.next();
            if (which.test(entry.getKey())) {
                entries.remove();
                try {
                    entry.getValue().close();
                } catch (IOException e) {
                    LOG.warn("Cannot delete the shared memory of {}", entry.getKey(), e);
                }
            }
        }
    }

    /** Gives the memory of a connection back and opens none for its owner again. */
    public synchronized void refuse(StreamConsumer owner, String reason) {
        refused.put(owner, reason);
        dropIf(owner::equals);
    }

    /** Why an owner gets no connection, if so. */
    public synchronized Optional<String> refusal(StreamConsumer owner) {
        return Optional.ofNullable(refused.get(owner));
    }

    /** Forgets the trainers before a generation. */
    public synchronized void fence(long generation) {
        dropIf(owner -> owner.generation() < generation);
        refused.keySet().removeIf(owner -> owner.generation() < generation);
    }

    public synchronized int count() {
        return open.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        dropIf(owner -> true);
    }
}
