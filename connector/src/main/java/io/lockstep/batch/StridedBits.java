package io.lockstep.batch;

import org.apache.arrow.memory.util.MemoryUtil;

/** Moves bits between a bitmap and bytes at equal distances that hold one bit each. */
final class StridedBits {

    private StridedBits() {}

    /**
     * Clears a bit in each byte for which the bitmap contains a 0.
     *
     * @param from the address of the bitmap
     * @param fromBit the first bit to read
     * @param to the address of the first byte to write
     * @param stride the distance between these bytes, in bytes
     * @param bit the index of the bit within each byte
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
     * Collects a bit of each byte into a bitmap. Overwrites whole bytes of the bitmap.
     *
     * @param from the address of the first byte to read
     * @param stride the distance between these bytes, in bytes
     * @param bit the index of the bit within each byte
     * @param to the address of the bitmap, which starts at the lowest bit of a byte
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
