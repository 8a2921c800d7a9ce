package io.lockstep.batch;

import org.apache.arrow.memory.util.MemoryUtil;

/** Operations on runs of bits in memory, lowest bit of a byte first, as in Arrow's bitmaps. */
final class Bits {

    private Bits() {}

    /** Returns the number of bytes that hold the given number of bits. */
    static long bytes(long bits) {
        return (bits + 7) >>> 3;
    }

    static int get(long address, long bit) {
        return MemoryUtil.getByte(address + (bit >>> 3)) >>> (bit & 7) & 1;
    }

    /** Copies bits to a target whose bits are all 0. */
    static void copy(long from, long fromBit, long to, long toBit, long count) {
        if (((fromBit | toBit) & 7) == 0) {
            long whole = count >>> 3;
            MemoryUtil.copyMemory(from + (fromBit >>> 3), to + (toBit >>> 3), whole);
            long done = whole << 3;
            or(to, toBit + done, read(from, fromBit + done, (int) (count - done)));
            return;
        }
        long done = 0;
        while (done < count) {
            // Up to the end of the current target byte.
            int step = (int) Math.min(8 - (toBit + done & 7), count - done);
            or(to, toBit + done, read(from, fromBit + done, step));
            done += step;
        }
    }

    /** Sets bits in a target whose bits are all 0. */
    static void set(long to, long toBit, long count) {
        long done = Math.min(-toBit & 7, count);
        or(to, toBit, mask((int) done));
        long whole = count - done >>> 3;
        MemoryUtil.setMemory(to + (toBit + done >>> 3), whole, (byte) -1);
        done += whole << 3;
        or(to, toBit + done, mask((int) (count - done)));
    }

    static long countZeros(long address, long count) {
        long ones = 0;
        long done = 0;
        for (; done + Long.SIZE <= count; done += Long.SIZE) {
            ones += Long.bitCount(MemoryUtil.getLong(address + (done >>> 3)));
        }
        for (; done < count; done++) {
            ones += get(address, done);
        }
        return count - ones;
    }

    /** Reads up to 8 bits from the one or two bytes that hold them. */
    private static int read(long address, long bit, int count) {
        if (count == 0) {
            return 0;
        }
        long first = address + (bit >>> 3);
        int shift = (int) (bit & 7);
        int bits = (MemoryUtil.getByte(first) & 0xFF) >>> shift;
        if (shift + count > 8) {
            bits |= MemoryUtil.getByte(first + 1) << 8 - shift;
        }
        return bits & mask(count);
    }

    /** Sets up to 8 bits within one byte. */
    private static void or(long address, long bit, int bits) {
        if (bits != 0) {
            long at = address + (bit >>> 3);
            MemoryUtil.putByte(at, (byte) (MemoryUtil.getByte(at) | bits << (bit & 7)));
        }
    }

    private static int mask(int count) {
        return (1 << count) - 1;
    }
}
