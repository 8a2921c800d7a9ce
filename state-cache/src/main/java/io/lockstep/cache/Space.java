package io.lockstep.cache;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Accounts for the disk space of a store and chooses what to evict. Guarded by the store's lock.
 *
 * <p>An entry counts as pinned from its first reservation until it is first unpinned. Unpinned
 * entries are evicted in the order in which they were unpinned, oldest first: a lane unpins its row
 * groups window by window and needs none of them before the next epoch, so recently unpinned ones
 * are no more likely to be needed soon. A policy that knows the next use of each entry and evicts
 * the one used furthest in the future is to replace this one.
 */
final class Space {

    private final long configured;
    private long max;
    private final Set<Entry> unpinned = new LinkedHashSet<>();
    private long used;
    private long pinned;

    Space(long max) {
        this.configured = max;
        this.max = max;
    }

    long max() {
        return max;
    }

    long used() {
        return used;
    }

    long pinned() {
        return pinned;
    }

    /** Lowers the limit to the bytes in use, because the disk is full. */
    void limitToUsed() {
        max = Math.min(max, used);
    }

    /** Removes the entry to evict first, if any. */
    Optional<Entry> evict() {
        Optional<Entry> oldest = unpinned.stream().findFirst();
        oldest.ifPresent(this::remove);
        return oldest;
    }

    /** The unpinned entries, in eviction order. */
    List<Entry> unpinned() {
        return List.copyOf(unpinned);
    }

    /** Whether the pinned entries leave room for an entry of this many bytes. */
    boolean canReserve(Entry entry, long bytes) {
        return pinned + bytes - entry.bytes <= configured;
    }

    /**
     * Reserves this many bytes for a pinned entry. Raises a limit that was lowered if the pinned
     * entries need it: the disk may have room again.
     *
     * @return the entries evicted for it, which no longer count
     * @throws CacheFullException if the pinned entries leave too little space
     */
    List<Entry> reserve(Entry entry, long bytes) {
        long more = bytes - entry.bytes;
        if (!canReserve(entry, bytes)) {
            throw new CacheFullException(entry.key, bytes, pinned - entry.bytes, configured);
        }
        max = Math.max(max, pinned + more);
        List<Entry> giveWay = new ArrayList<>();
        while (used + more > max) {
            Entry oldest = unpinned.iterator().next();
            remove(oldest);
            giveWay.add(oldest);
        }
        entry.bytes = bytes;
        used += more;
        pinned += more;
        return giveWay;
    }

    void pin(Entry entry) {
        if (unpinned.remove(entry)) {
            pinned += entry.bytes;
        }
    }

    void unpin(Entry entry) {
        if (unpinned.add(entry)) {
            pinned -= entry.bytes;
        }
    }

    /** Removes an entry, pinned or not. */
    void remove(Entry entry) {
        pin(entry);
        pinned -= entry.bytes;
        used -= entry.bytes;
    }
}
