package io.lockstep.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The file of a row group, open and mapped. The channel stays open with the mapping, so that the
 * length can be compared at every use and the content can be read again even if the file was
 * deleted. Thread-safe until it is closed.
 */
final class OpenRowGroup {

    private final RowGroupFile file;
    private final FileChannel channel;
    private final VectorSchemaRoot root;

    /** When the file was last changed before a successful check of its content. */
    private volatile ChangeTime checked;

    /**
     * Takes ownership of the channel.
     *
     * @param root mapped from the channel
     * @param checked the time of the file's last change, read before its content was checked
     */
    OpenRowGroup(
            RowGroupFile file, FileChannel channel, VectorSchemaRoot root, ChangeTime checked) {
        this.file = file;
        this.channel = channel;
        this.root = root;
        this.checked = checked;
    }

    VectorSchemaRoot root() {
        return root;
    }

    /** Compares the content with what was written, by reading the file. */
    Optional<Damage> check() throws IOException {
        return file.check(channel);
    }

    /**
     * Compares the length, which costs a system call.
     *
     * @return the damage, or empty
     */
    Optional<Damage> checkLength() throws IOException {
        return file.checkLength(channel);
    }

    /**
     * Compares the time of the last change, which costs a system call, and the content only if that
     * has changed.
     *
     * @return the damage, or empty
     */
    Optional<Damage> checkUnchanged() throws IOException {
        ChangeTime now = ChangeTime.of(file.path());
        if (now.equals(checked)) {
            // A deleted file cannot be opened, but programs that have it open can still truncate
            // it.
            return now.equals(ChangeTime.DELETED) ? checkLength() : Optional.empty();
        }
        Optional<Damage> damage = check();
        // A file system counts time in ticks: another change in this one would not be noticed.
        if (damage.isEmpty() && now.isPast()) {
            checked = now;
        }
        return damage;
    }

    /** Unmaps and closes the file. */
    void close() throws IOException {
        root.close();
        channel.close();
    }
}
