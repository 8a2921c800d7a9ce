package io.lockstep.transform.statistic;

import java.util.Arrays;

/**
 * Disjoint ranges of sortable numbers with a common prefix. Sortable numbers are compared as
 * unsigned.
 *
 * @param prefixes the first bits of the numbers of each range, ascending
 * @param bits how many; 0 for a single range of all numbers
 */
record RadixRanges(long[] prefixes, int bits) {

    /** The widths of the digits; the sum is 64. The first covers sign, exponent and a few bits. */
    private static final int FIRST_DIGIT = 16;

    private static final int DIGIT = 12;

    static final RadixRanges ALL = new RadixRanges(new long[] {0}, 0);

    /** The bits that tell the ranges within a range apart. */
    int digit() {
        return bits == 0 ? FIRST_DIGIT : DIGIT;
    }

    /** The range of a number; negative if none. */
    int of(long sortable) {
        return bits == 0 ? 0 : Arrays.binarySearch(prefixes, sortable >>> (Long.SIZE - bits));
    }

    /** The next digit of a number. */
    int digit(long sortable) {
        return (int) (sortable >>> (Long.SIZE - bits - digit())) & ((1 << digit()) - 1);
    }

    boolean areNumbers() {
        return bits == Long.SIZE;
    }

    /** Returns a number whose order as unsigned is that of the doubles. */
    static long sortable(double value) {
        long bits = Double.doubleToRawLongBits(value);
        return bits ^ ((bits >> (Long.SIZE - 1)) | Long.MIN_VALUE);
    }

    /** The double of a sortable number. */
    static double value(long sortable) {
        return Double.longBitsToDouble(sortable < 0 ? sortable ^ Long.MIN_VALUE : ~sortable);
    }
}
