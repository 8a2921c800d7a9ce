package io.lockstep.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Works on arrays of levels, each from 0 to 127: eight at a time, as the bytes of a long. */
final class Levels {

    /** No level. */
    static final byte[] NONE = new byte[0];

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Repeats a byte. */
    private static final long EACH = 0x0101010101010101L;

    /** The bit of its place in each byte. */
    private static final long DIAGONAL = 0x8040201008040201L;

    /** Moves the lowest bit of byte i to bit 56 + i. */
    private static final long GATHER = 0x0102040810204080L;

    private Levels() {}

    /** The array, or a new one that is large enough. */
    static byte[] room(byte[] levels, int count) {
        return levels.length >= count ? levels : new byte[count];
    }

    /** How many of the first levels are at least the one. */
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

    /** For each of eight levels a bit, the first the lowest, whether it is at least the one. */
    static int bits(byte[] levels, int from, int least) {
        return (int) (atLeast(levels, from, least) * GATHER >>> Long.SIZE - Byte.SIZE);
    }

    /** Eight levels of the bits of a byte, the lowest first. */
    static void ofBits(byte[] levels, int from, int bits) {
        long apart = (bits & 0xffL) * EACH & DIAGONAL;
        LONGS.set(levels, from, apart + 0x7f * EACH >>> 7 & EACH);
    }

    /** For each of eight levels a byte, 1 where it is at least the one. */
    private static long atLeast(byte[] levels, int from, int least) {
        return (long) LONGS.get(levels, from) + (0x80 - least) * EACH >>> 7 & EACH;
    }
}
