package io.lockstep.cache;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room for row groups being loaded, within the store's limit and on the disk, which may have
 * less space. Evicts unpinned row groups, and waits for those being checked. Shares the store's
 * lock, which is not held during I/O.
 */
final class Room {

    private static final Logger LOG = LoggerFactory.getLogger(Room.class);

    private final Object lock;
    private final Space space;
    private final Map<RowGroupKey, Entry> entries;
    private final RowGroupDisk disk;
    private final EntryFiles files;
    private int unchecked;
    private boolean warnedOfFullDisk;
    private boolean closed;

    /**
     * @param lock guards {@code space} and {@code entries}
     */
    Room(
            Object lock,
            Space space,
            Map<RowGroupKey, Entry> entries,
            RowGroupDisk disk,
            EntryFiles files) {
        this.lock = lock;
        this.space = space;
        this.entries = entries;
        this.disk = disk;
        this.files = files;
    }

    /** Records that a pinned entry will be unpinned after a check. Call it with the lock held. */
    void checkBegins() {
        unchecked++;
    }

    /** Call it with the lock held. */
    void checkEnded() {
        unchecked--;
        lock.notifyAll();
    }

    /** Ends all waiting. Call it with the lock held. */
    void close() {
        closed = true;
        lock.notifyAll();
    }

    /** Writes a row group; if the disk is full, evicts others until it fits. */
    RowGroupFile write(Entry entry, VectorSchemaRoot root, long body) {
        while (true) {
            try {
                return disk.write(entry.key, root);
            } catch (IOException e) {
                if (!disk.isFull(e, body) || !makeRoom(body)) {
                    throw cannotWrite(body, e);
                }
            }
        }
    }

    private CacheException cannotWrite(long body, IOException cause) {
        long pinned;
        synchronized (lock) {
            pinned = space.pinned();
        }
        return new CacheException(
                "A row group of "
                        + body
                        + " bytes cannot be written to the cache in "
                        + disk.directory()
                        + ", where "
                        + disk.usableBytes()
                        + " bytes are left and row groups in use take "
                        + pinned
                        + " ("
                        + cause.getMessage()
                        + "); make room there, or set cache.directory to another disk and"
                        + " cache.size to what it has.",
                cause);
    }

    /**
     * Evicts row groups of this many bytes, if any, and lowers the limit to the actual disk space.
     */
    private boolean makeRoom(long bytes) {
        List<Entry> victims = new ArrayList<>();
        boolean warn;
        long max;
        synchronized (lock) {
            long freed = 0;
            while (freed < bytes) {
                Optional<Entry> victim = space.evict();
                if (victim.isPresent()) {
                    freed += victim.get().bytes;
                    entries.remove(victim.get().key, victim.get());
                    victims.add(victim.get());
                } else if (!victims.isEmpty() || !awaitCheck()) {
                    break;
                }
            }
            if (victims.isEmpty()) {
                return false;
            }
            space.limitToUsed();
            max = space.max();
            warn = !warnedOfFullDisk;
            warnedOfFullDisk = true;
        }
        victims.forEach(files::release);
        if (warn) {
            LOG.warn(
                    "The disk of the cache directory {} is full: the cache goes on with {} bytes"
                            + " and evicts row groups earlier. Free disk space, or lower"
                            + " cache.size.",
                    disk.directory(),
                    max);
        }
        return true;
    }

    /**
     * Waits until a check has ended; returns false if none is pending. Call it with the lock held.
     */
    private boolean awaitCheck() {
        if (unchecked == 0 || closed) {
            return false;
        }
        try {
            lock.wait();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Reserves this many bytes for the entry and evicts unpinned entries to make room. */
    void reserve(Entry entry, long bytes) {
        List<Entry> victims;
        synchronized (lock) {
            while (!space.canReserve(entry, bytes) && awaitCheck()) {
                // A row group being checked may be evicted afterwards.
            }
            victims = space.reserve(entry, bytes);
            victims.forEach(victim -> entries.remove(victim.key, victim));
        }
        victims.forEach(files::release);
    }
}
