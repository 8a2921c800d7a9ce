package io.lockstep.transform.column;

/** Converts doubles to half precision (IEEE 754 binary16). */
final class Halves {

    private static final int EXPONENT_BIAS = 15;
    private static final int FRACTION_BITS = 10;

    private Halves() {}

    /** Rounds to the nearest half, ties to even; values beyond 65,504 become infinite. */
    static short of(double value) {
        int sign = value < 0 || 1 / value < 0 ? 0x8000 : 0;
        double size = Math.abs(value);
        if (Double.isNaN(value)) {
            return 0x7E00;
        }
        if (size >= 65_520) {
            return (short) (sign | 0x7C00);
        }
        int exponent = Math.max(Math.getExponent(size), 1 - EXPONENT_BIAS);
        // In units of the last place; rint rounds ties to even.
        int units = (int) Math.rint(size * Math.scalb(1.0, FRACTION_BITS - exponent));
        int biased = exponent + EXPONENT_BIAS - 1;
        return (short) (sign | (biased << FRACTION_BITS) + units);
    }
}
