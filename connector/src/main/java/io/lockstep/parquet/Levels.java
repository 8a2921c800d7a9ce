package io.lockstep.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Operations on arrays of levels in the range 0 to 127. Processes eight levels at a time as the
 * bytes of a long.
 */
final class Levels {

    /** An empty array of levels. */
    static final byte[] NONE = new byte[0];

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** A multiplier that repeats a byte eight times. */
    private static final long EACH = 0x0101010101010101L;

    /** Selects from byte i the bit that stands for level i. */
    private static final long DIAGONAL = 0x8040201008040201L;

    /** A multiplier that moves the lowest bit of byte i to bit 56 + i. */
    private static final long GATHER = 0x0102040810204080L;

    private Levels() {}

    /** Returns the array, or a new one if it is too small. */
    static byte[] ensureSize(byte[] levels, int count) {
        return levels.length >= count ? levels : new byte[count];
    }

    /** Returns how many of the first {@code count} levels are at least {@code least}. */
    static int count(byte[] levels, int count, int least) {
        int found = 0;
        int i = 0;
        for (; i + Long.BYTES <= count; i += Long.BYTES) {
            found += Long.bitCount(atLeast(levels, i, least));
        }
        for (; i < count; i++) {
            found += levels[i] >= least ? 1 : 0;
        }
        return found;
    }

    /**
     * Returns a bit for each of eight levels, lowest first: 1 if the level is at least {@code
     * least}.
     */
    static int bits(byte[] levels, int from, int least) {
        return (int) (atLeast(levels, from, least) * GATHER >>> Long.SIZE - Byte.SIZE);
    }

    /** Expands the bits of a byte to eight levels, lowest bit first. */
    static void ofBits(byte[] levels, int from, int bits) {
        long apart = (bits & 0xffL) * EACH & DIAGONAL;
        LONGS.set(levels, from, apart + 0x7f * EACH >>> 7 & EACH);
    }

    /** Returns a byte for each of eight levels: 1 if the level is at least {@code least}. */
    private static long atLeast(byte[] levels, int from, int least) {
        return (long) LONGS.get(levels, from) + (0x80 - least) * EACH >>> 7 & EACH;
    }
}
