package io.lockstep.handoff.shm;

import io.lockstep.protocol.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shared memory of a server, or the reason why it has none and sends all batches by Flight. */
public final class SharedMemorySupport implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedMemorySupport.class);
    private static final int HASH_BYTES = 6;

    private final SharedMemory memory;
    private final Connections connections;
    private final String whyNot;

    private SharedMemorySupport(SharedMemory memory, String whyNot) {
        this.memory = memory;
        this.connections = memory == null ? null : new Connections(memory);
        this.whyNot = whyNot;
    }

    /**
     * @param directory in memory, for trainers of this host
     * @param run the run directory; the files are named by it and {@code task}
     * @param slots the most batches that a connection holds at a time
     */
    public static SharedMemorySupport open(Path directory, String run, String task, int slots) {
        try {
            String name = hash(run) + "-" + hash(task);
            return new SharedMemorySupport(SharedMemory.open(directory, name, slots), null);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("No shared memory", e);
            return new SharedMemorySupport(
                    null, directory + " of the task manager's host cannot be used: " + e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The open connections; empty without shared memory. */
    public Optional<Connections> connections() {
        return Optional.ofNullable(connections);
    }

    /** Why shared memory is not available. */
    public String whyNot() {
        return whyNot;
    }

    /** Lets a client test whether it shares this memory; null without shared memory. */
    @Nullable
    public Reply.Probe probe() {
        return memory == null ? null : new Reply.Probe(memory.probe().toString(), memory.nonce());
    }

    @Override
    public void close() throws IOException {
        if (memory != null) {
            connections.close();
            memory.close();
        }
    }
}
