package io.lockstep.source.reader;

/**
 * The budget of bytes for one reader's steps that are made and not yet closed. Not thread-safe;
 * guarded by its owner.
 *
 * <p>A group may always make its first wanted step, even if it holds later ones: its trainer may be
 * waiting for that step and would never return bytes. So the limit can be exceeded by one step per
 * group; the reader refuses lanes whose single steps do not fit together.
 */
final class ByteBudget {

    private final long limit;
    private long used;

    ByteBudget(long limit) {
        this.limit = limit;
    }

    boolean hasRoomFor(long bytes) {
        return used + bytes <= limit;
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
