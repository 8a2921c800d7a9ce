package io.lockstep.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens, checks and releases the files of entries. Call it without the store's lock, from the only
 * task of the entry.
 */
final class EntryFiles {

    private static final Logger LOG = LoggerFactory.getLogger(EntryFiles.class);

    private final RowGroupDisk disk;
    private final BufferAllocator mapped;

    /**
     * @param mapped accounts for mapped bytes
     */
    EntryFiles(RowGroupDisk disk, BufferAllocator mapped) {
        this.disk = disk;
        this.mapped = mapped;
    }

    /**
     * Opens the file of an entry and checks its content; maps it if it is intact.
     *
     * @return the damage, or empty
     */
    Optional<Damage> openAndCheck(Entry entry) throws IOException {
        FileChannel channel;
        try {
            channel = entry.file.open();
        } catch (NoSuchFileException e) {
            return Optional.of(new Damage(entry.file.path(), "was deleted", false));
        }
        try {
            // Before the check, so that a later change is noticed.
            ChangeTime checked = ChangeTime.of(entry.file.path());
            Optional<Damage> damage = entry.file.check(channel);
            if (damage.isEmpty()) {
                VectorSchemaRoot root = entry.file.map(channel, mapped);
                entry.open = new OpenRowGroup(entry.file, channel, root, checked);
            }
            return damage;
        } catch (Throwable t) {
            // Mapping fails if the file was truncated since the check.
            Optional<Damage> damage = entry.file.check(channel);
            if (damage.isEmpty()) {
                throw t;
            }
            return damage;
        } finally {
            if (entry.open == null) {
                channel.close();
            }
        }
    }

    /** Unmaps and deletes the file of an entry, if there is one. */
    void release(Entry entry) {
        OpenRowGroup open = entry.open;
        RowGroupFile file = entry.file;
        entry.open = null;
        entry.file = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            LOG.warn("Cannot close {}: {}", file.path(), e, e);
        }
        if (file != null) {
            disk.delete(file);
        }
    }
}
