package io.lockstep.source.reader;

/**
 * The budget of bytes for one reader's steps that are made and not yet closed. Not thread-safe;
 * guarded by its owner.
 */
final class ByteBudget {

    private final long limit;
    private long used;

    ByteBudget(long limit) {
        this.limit = limit;
    }

    long limit() {
        return limit;
    }

    /** The bytes that must be given back before this many fit; at most 0 if they fit now. */
    long missing(long bytes) {
        return used + bytes - limit;
    }

    /** Also true if nothing is used: the allocator then decides, and the number may be a guess. */
    boolean hasRoomFor(long bytes) {
        return used == 0 || missing(bytes) <= 0;
    }

    void reserve(long bytes) {
        used += bytes;
    }

    void release(long bytes) {
        used -= bytes;
    }

    long used() {
        return used;
    }
}
