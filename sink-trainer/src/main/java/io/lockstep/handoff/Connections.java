package io.lockstep.handoff;

import io.lockstep.handoff.protocol.ErrorCode;
import io.lockstep.handoff.protocol.HandoffException;
import io.lockstep.handoff.shm.SharedMemory;
import io.lockstep.handoff.shm.SlotConnection;
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
final class Connections implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    /** Whose connection it is. */
    record Owner(long generation, int rank, String stream) {}

    private final SharedMemory memory;
    private final Map<Owner, SlotConnection> open = new HashMap<>();
    private final Map<Owner, String> refused = new HashMap<>();
    private boolean closed;

    Connections(SharedMemory memory) {
        this.memory = memory;
    }

    synchronized SlotConnection attach(Owner owner) {
        if (closed) {
            throw unknown(owner);
        }
        dropIf(present -> present.equals(owner));
        SlotConnection connection = memory.connect(UUID.randomUUID().toString());
        open.put(owner, connection);
        return connection;
    }

    /** The connection, if that is still its name. */
    synchronized SlotConnection get(Owner owner, String id) {
        SlotConnection connection = open.get(owner);
        if (connection == null || !connection.id().equals(id)) {
            throw unknown(owner);
        }
        return connection;
    }

    private static HandoffException unknown(Owner owner) {
        return new HandoffException(
                ErrorCode.UNKNOWN_CONNECTION,
                String.format(
                        "rank %d has no such connection for the stream '%s' here, or not any longer: attach"
                                + " again",
                        owner.rank(), owner.stream()));
    }

    /** Gives the memory of some connections back. */
    synchronized void dropIf(Predicate<Owner> which) {
        Iterator<Map.Entry<Owner, SlotConnection>> entries = open.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Owner, SlotConnection> entry = entries.next();
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
    synchronized void refuse(Owner owner, String reason) {
        refused.put(owner, reason);
        dropIf(owner::equals);
    }

    /** Why an owner gets no connection, if so. */
    synchronized Optional<String> refusal(Owner owner) {
        return Optional.ofNullable(refused.get(owner));
    }

    /** Forgets the trainers before a generation. */
    synchronized void fence(long generation) {
        dropIf(owner -> owner.generation() < generation);
        refused.keySet().removeIf(owner -> owner.generation() < generation);
    }

    synchronized int count() {
        return open.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        dropIf(owner -> true);
    }
}
