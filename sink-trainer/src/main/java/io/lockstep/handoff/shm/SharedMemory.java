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
 * A server's part of a directory in memory, {@code /dev/shm} as a rule, that its trainers map as
 * well.
 *
 * <p>All files are for the owning user only: they hold training data. Thread-safe.
 */
public final class SharedMemory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);
    private static final int NONCE_BYTES = 16;
    private static final String PROBE = "-probe";

    /** The largest batch: one mapping of Java's, less what a slot is rounded up by. */
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
     * Deletes what dead processes left in the directory and takes a part of it.
     *
     * @param name of the server: letters, digits and hyphens, never used twice by one process
     * @param slots batches that a connection may hold at a time
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

    /** Deletes the files of dead processes. A directory that is not there has none. */
    public static void sweep(Path directory) {
        try {
            if (Files.isDirectory(directory)) {
                OwnedFiles.sweep(directory);
            }
        } catch (IOException e) {
            LOG.warn("Cannot look for shared memory of dead processes in {}", directory, e);
        }
    }

    /** The file that holds the nonce. Who reads the same there shares this memory. */
    public Path probe() {
        return files.resolve(PROBE);
    }

    public String nonce() {
        return nonce;
    }

    /** Opens a connection; its first file is made when the size of a batch is known. */
    public SlotConnection connect(String id) {
        return new SlotConnection(this, id);
    }

    /** Makes a file of slots of at least that size. */
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

    /** Deletes all files, then those that dead siblings left. Connections must be closed before. */
    @Override
    public void close() throws IOException {
        files.close();
        sweep(directory);
    }
}
