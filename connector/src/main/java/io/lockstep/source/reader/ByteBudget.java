package io.lockstep.source.reader;

/**
 * The bytes of steps that one reader may have made and not yet given away. Not thread-safe: its
 * owner guards it.
 *
 * <p>A group may always make the first step that is wanted of it, whatever later ones it holds: its
 * trainer may wait for that one, and would never give bytes back. So one step of each group may
 * come on top of the limit; the reader refuses lanes whose single steps do not fit together.
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

    void take(long bytes) {
        used += bytes;
    }

    void giveBack(long bytes) {
        used -= bytes;
    }

    long used() {
        return used;
    }
}
