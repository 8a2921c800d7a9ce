package io.lockstep.order;

/**
 * Philox4x64-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC'11. Produces the same words as numpy's {@code Philox}.
 */
final class Philox4x64 {

    private static final int ROUNDS = 10;
    private static final long MULTIPLIER_0 = 0xD2E7470EE14C6C93L;
    private static final long MULTIPLIER_1 = 0xCA5A826395121157L;
    private static final long WEYL_0 = 0x9E3779B97F4A7C15L;
    private static final long WEYL_1 = 0xBB67AE8584CAA73BL;

    private Philox4x64() {}

    /**
     * Writes the block of four words for a counter to {@code out}, starting at index {@code at}.
     */
    static void block(long c0, long c1, long c2, long c3, RandomKey key, long[] out, int at) {
        long k0 = key.word0();
        long k1 = key.word1();
        for (int round = 0; round < ROUNDS; round++) {
            long high0 = multiplyHighUnsigned(MULTIPLIER_0, c0);
            long low0 = MULTIPLIER_0 * c0;
            long high1 = multiplyHighUnsigned(MULTIPLIER_1, c2);
            long low1 = MULTIPLIER_1 * c2;
            c0 = high1 ^ c1 ^ k0;
            c1 = low1;
            c2 = high0 ^ c3 ^ k1;
            c3 = low0;
            k0 += WEYL_0;
            k1 += WEYL_1;
        }
        out[at] = c0;
        out[at + 1] = c1;
        out[at + 2] = c2;
        out[at + 3] = c3;
    }

    /**
     * Returns the upper 64 bits of the product of two unsigned words. The JDK provides this as of
     * version 18.
     */
    static long multiplyHighUnsigned(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }
}
