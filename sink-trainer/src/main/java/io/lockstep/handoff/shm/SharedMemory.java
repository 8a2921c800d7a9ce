package io.lockstep.handoff.shm;

import io.lockstep.ownership.OwnedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's files in a directory in memory, usually {@code /dev/shm}, which its trainers map too.
 *
 * <p>Only the owning user can access the files: they hold training data. Thread-safe.
 */
public final class SharedMemory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);
    private static final int NONCE_BYTES = 16;
    private static final String PROBE = "-probe";

    /** The largest batch: one Java mapping, less what rounding up a slot may add. */
    public static final long MAX_BATCH_BYTES = SlotFile.MAX_SLOT_BYTES;

    private final Path directory;
    private final OwnedFiles files;
    private final FreeSpace space;
    private final int slots;
    private final String nonce;

    private SharedMemory(Path directory, OwnedFiles files, FreeSpace space, int slots)
            throws IOException {
        this.directory = directory;
        this.files = files;
        this.space = space;
        this.slots = slots;
        byte[] random = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(random);
        this.nonce = HexFormat.of().formatHex(random);
        try (FileChannel probe = files.createFile(PROBE)) {
            probe.write(ByteBuffer.wrap(nonce.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /**
     * Deletes the files of dead processes in the directory and opens the server's own.
     *
     * @param name of the server: letters, digits and hyphens, never used twice by one process
     * @param slots the most batches that a connection holds at a time
     */
    public static SharedMemory open(Path directory, String name, int slots) throws IOException {
        return open(directory, name, slots, FreeSpace.OF_FILE_STORE);
    }

    public static SharedMemory open(Path directory, String name, int slots, FreeSpace space)
            throws IOException {
        OwnedFiles.sweep(directory);
        OwnedFiles files = OwnedFiles.claim(directory, name);
        try {
            return new SharedMemory(directory, files, space, slots);
        } catch (IOException e) {
            files.close();
            throw e;
        }
    }

    /** Deletes the files of dead processes. Does nothing if the directory does not exist. */
    public static void sweep(Path directory) {
        try {
            if (Files.isDirectory(directory)) {
                OwnedFiles.sweep(directory);
            }
        } catch (IOException e) {
            LOG.warn("Cannot look for shared memory of dead processes in {}", directory, e);
        }
    }

    /**
     * The file that holds the nonce. A process that reads the same nonce there shares this memory.
     */
    public Path probe() {
        return files.resolve(PROBE);
    }

    public String nonce() {
        return nonce;
    }

    /** Opens a connection; its first file is created when the size of a batch is known. */
    public SlotConnection connect(String id) {
        return new SlotConnection(this, id);
    }

    /** Creates a file with slots of at least that size. */
    public SlotFile create(String connection, int number, long slotBytes)
            throws NoRoomException, IOException {
        FreeSpace.Room room = space.of(directory);
        if (!room.holds(slots, slotBytes)) {
            throw new NoRoomException(directory, room, slots, slotBytes);
        }
        return SlotFile.create(files, "-" + connection + "." + number + ".shm", slots, slotBytes);
    }

    public int slots() {
        return slots;
    }

    /** Deletes all files, then those of dead processes. Connections must be closed before. */
    @Override
    public void close() throws IOException {
        files.close();
        sweep(directory);
    }
}
