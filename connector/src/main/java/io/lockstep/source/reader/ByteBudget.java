package io.lockstep.source.reader;

/**
 * The bytes of steps that one reader may have made and not yet given away. Not thread-safe: its
 * owner guards it.
 *
 * <p>A lane without any step on its way may always make one, so that no lane starves behind the
 * others; the reader refuses lanes whose single steps do not fit together.
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

    long limit() {
        return limit;
    }
}
