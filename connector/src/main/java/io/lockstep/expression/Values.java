package io.lockstep.expression;

import javax.annotation.Nullable;

/**
 * The values of an expression for the rows of a chunk. The arrays may be longer than the chunk, and
 * must not be written once they are here. The value of a null is undefined.
 *
 * @param nulls by row, whether it is null; null if no row is
 * @param booleans of conditions
 * @param longs of integers, dates and timestamps; of strings the addresses
 * @param doubles of floating-point numbers
 * @param lengths of strings, in bytes
 */
record Values(
        @Nullable boolean[] nulls,
        boolean[] booleans,
        long[] longs,
        double[] doubles,
        int[] lengths) {

    static Values ofBooleans(boolean[] booleans, @Nullable boolean[] nulls) {
        return new Values(nulls, booleans, null, null, null);
    }

    static Values ofLongs(long[] longs, @Nullable boolean[] nulls) {
        return new Values(nulls, null, longs, null, null);
    }

    static Values ofDoubles(double[] doubles, @Nullable boolean[] nulls) {
        return new Values(nulls, null, null, doubles, null);
    }

    static Values ofStrings(long[] addresses, int[] lengths, @Nullable boolean[] nulls) {
        return new Values(nulls, null, addresses, null, lengths);
    }

    boolean isNull(int row) {
        return nulls != null && nulls[row];
    }

    /** Returns which rows are null in one or the other. */
    @Nullable
    static boolean[] eitherNull(Values one, Values other, int size) {
        if (one.nulls == null || other.nulls == null) {
            return one.nulls == null ? other.nulls : one.nulls;
        }
        boolean[] either = new boolean[size];
        for (int i = 0; i < size; i++) {
            either[i] = one.nulls[i] | other.nulls[i];
        }
        return either;
    }
}
