package io.lockstep.order;

/** Uniform numbers in [0, 1) from 64-bit words. */
final class UniformNumber {

    private static final double DOUBLE_STEP = 0x1p-53;
    private static final float FLOAT_STEP = 0x1p-24f;

    private UniformNumber() {}

    /** Returns the upper 53 bits of a word, times 2^-53. */
    static double ofDouble(long word) {
        return (word >>> 11) * DOUBLE_STEP;
    }

    /** Returns the upper 24 bits of a word, times 2^-24. */
    static float ofFloat(long word) {
        return (word >>> 40) * FLOAT_STEP;
    }
}
