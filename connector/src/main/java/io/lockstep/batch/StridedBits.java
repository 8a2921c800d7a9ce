package io.lockstep.batch;

import org.apache.arrow.memory.util.MemoryUtil;

/** Moves bits between a bitmap and bytes at equal distances, of which each holds one of them. */
final class StridedBits {

    private StridedBits() {}

    /**
     * Clears a bit in each byte for which the bitmap has a 0.
     *
     * @param from the bitmap
     * @param fromBit the first bit read
     * @param to the first byte written
     * @param stride bytes from one of these bytes to the next
     * @param bit which bit of them
     */
    static void clearWhereZero(long from, long fromBit, long to, int stride, int bit, int count) {
        byte mask = (byte) ~(1 << bit);
        for (int i = 0; i < count; i++) {
            if (Bits.get(from, fromBit + i) == 0) {
                long at = to + (long) i * stride;
                MemoryUtil.putByte(at, (byte) (MemoryUtil.getByte(at) & mask));
            }
        }
    }

    /**
     * Collects a bit of each byte into a bitmap, of which whole bytes are written.
     *
     * @param from the first byte read
     * @param stride bytes from one of these bytes to the next
     * @param bit which bit of them
     * @param to the bitmap, from the lowest bit of a byte on
     */
    static void collect(long from, int stride, int bit, long to, int count) {
        for (int i = 0; i < count; i += Byte.SIZE) {
            int bits = 0;
            int some = Math.min(Byte.SIZE, count - i);
            for (int k = 0; k < some; k++) {
                bits |= (MemoryUtil.getByte(from + (long) (i + k) * stride) >>> bit & 1) << k;
            }
            MemoryUtil.putByte(to + (i >>> 3), (byte) bits);
        }
    }
}
