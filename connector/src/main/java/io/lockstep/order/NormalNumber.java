package io.lockstep.order;

/**
 * Standard normal numbers from 64-bit words: the quantile of (k + 1/2) / 2^53, where k is the upper
 * 53 bits of the word. The quantile is a polynomial for each half of an octave of the smaller
 * tail's probability; {@code normal.json} has the coefficients, constant first. It differs from the
 * exact one by less than 4e-15, and lies within -8.3 and 8.3.
 *
 * <p>Every operation is an addition or a multiplication of IEEE doubles, each rounded by itself, so
 * that all languages and processors compute the same bits.
 */
final class NormalNumber {

    private static final long MANTISSA = (1L << 52) - 1;
    private static final long ONE = Double.doubleToRawLongBits(1);
    private static final int FIRST_SEGMENT = 2 * Double.MAX_EXPONENT;
    private static final int TERMS = 14;
    private static final double[] COEFFICIENTS = NormalCoefficients.load(106 * TERMS);

    private NormalNumber() {}

    /** Returns the normal number of a word. */
    static double of(long word) {
        // The probability of the smaller tail, times 2^54: an odd number below 2^53.
        long tail = 2 * (((word >>> 11) ^ (word >> 63)) & MANTISSA) + 1;
        long bits = Double.doubleToRawLongBits((double) tail);
        // The exponent and the first bit of the mantissa select the polynomial, the other 51 bits
        // its argument in [-1/2, 1/2).
        int segment = (int) (bits >>> 51) - FIRST_SEGMENT;
        double x = Double.longBitsToDouble(((bits << 1) & MANTISSA) | ONE) - 1.5;
        int constant = segment * TERMS;
        double y = COEFFICIENTS[constant + TERMS - 1];
        for (int i = constant + TERMS - 2; i >= constant; i--) {
            y = y * x + COEFFICIENTS[i];
        }
        return word < 0 ? y : -y;
    }
}
