package io.lockstep.audit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Non-negative numbers in LEB128: seven bits per byte, lowest first, with the highest bit set in
 * all bytes but the last.
 */
final class Varints {

    private static final int BITS = 7;
    private static final int MORE = 0x80;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void number(long value) {
        long left = value;
        while ((left & ~(MORE - 1L)) != 0) {
            bytes.write((int) (left & (MORE - 1)) | MORE);
            left >>>= BITS;
        }
        bytes.write((int) left);
    }

    void bytes(byte[] some) {
        bytes.writeBytes(some);
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    /**
     * Reads a number.
     *
     * @throws IllegalArgumentException if it does not fit into 63 bits
     */
    static long number(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += BITS) {
            byte next = in.get();
            value |= (long) (next & (MORE - 1)) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of more than 63 bits");
    }
}
