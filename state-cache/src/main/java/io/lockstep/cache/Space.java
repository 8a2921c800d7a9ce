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
 * entries give way in the order in which they were let go, the oldest first: a lane lets its row
 * groups go window by window and needs none of them before the next epoch, so those let go last are
 * no likelier to be asked for soon. A policy that knows the next use of each, and gives up the one
 * used furthest ahead, is to take this one's place.
 */
final class Space {

    private long max;
    private final Set<Entry> unpinned = new LinkedHashSet<>();
    private long used;
    private long pinned;

    Space(long max) {
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

    /** Lowers the limit to what is used now: the disk takes no more. */
    void limitToUsed() {
        max = Math.min(max, used);
    }

    /** Removes the entry that gives way first, if there is one. */
    Optional<Entry> evict() {
        Optional<Entry> oldest = unpinned.stream().findFirst();
        oldest.ifPresent(this::remove);
        return oldest;
    }

    /** The entries without a hold, the next to give way first. */
    List<Entry> unpinned() {
        return List.copyOf(unpinned);
    }

    /** Whether the pinned entries leave room for an entry of so many bytes. */
    boolean canReserve(Entry entry, long bytes) {
        return pinned + bytes - entry.bytes <= max;
    }

    /**
     * Makes a pinned entry account for so many bytes.
     *
     * @return the unpinned entries that give way for it; they account for nothing any more
     * @throws CacheFullException where the pinned entries leave too little
     */
    List<Entry> reserve(Entry entry, long bytes) {
        long more = bytes - entry.bytes;
        if (!canReserve(entry, bytes)) {
            throw new CacheFullException(entry.key, bytes, pinned - entry.bytes, max);
        }
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

    /** Ends an entry, pinned or not. */
    void remove(Entry entry) {
        pin(entry);
        pinned -= entry.bytes;
        used -= entry.bytes;
    }
}
