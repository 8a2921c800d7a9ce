package io.lockstep.handoff.shm;

import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
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
 * replaces the previous one, which its client has lost. Thread-safe.
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

    /** The connection, if it still has that id. */
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

    /** Closes some connections and frees their memory. */
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

    /** Closes a connection and refuses its owner further ones. */
    public synchronized void refuse(StreamConsumer owner, String reason) {
        refused.put(owner, reason);
        dropIf(owner::equals);
    }

    /** Why an owner is refused a connection, if it is. */
    public synchronized Optional<String> refusal(StreamConsumer owner) {
        return Optional.ofNullable(refused.get(owner));
    }

    /** Closes the connections of generations before this one. */
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
