package io.lockstep.expression;

import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Whether a value is in a list, found by binary search. NaN is in none.
 *
 * @param sorted the list, without duplicates of the same bits; of integers, dates, timestamps and
 *     booleans the bits, of doubles the numbers with 0.0 for -0.0, of strings the bytes
 */
record Membership(Node operand, Sorted sorted) implements Node {

    /** A sorted list; the arrays of other types are null. */
    record Sorted(long[] longs, double[] doubles, byte[][] strings) {}

    @Override
    public Type type() {
        return Type.BOOLEAN;
    }

    @Override
    public boolean isNullable() {
        return operand.isNullable();
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        Values values = operand.evaluate(chunk, needed);
        boolean[] result = new boolean[chunk.size()];
        switch (operand.type().kind()) {
            case FLOAT, DOUBLE -> doubles(values.doubles(), result);
            case STRING -> strings(values, chunk, result);
            case BOOLEAN -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = contains(values.booleans()[i] ? 1 : 0);
                }
            }
            default -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = contains(values.longs()[i]);
                }
            }
        }
        return Values.ofBooleans(result, values.nulls());
    }

    private boolean contains(long value) {
        return Arrays.binarySearch(sorted.longs(), value) >= 0;
    }

    private void doubles(double[] values, boolean[] result) {
        for (int i = 0; i < result.length; i++) {
            // -0.0 + 0.0 is 0.0; the list has no NaN.
            result[i] = Arrays.binarySearch(sorted.doubles(), values[i] + 0.0) >= 0;
        }
    }

    private void strings(Values values, Chunk chunk, boolean[] result) {
        Values list = chunk.evaluation().strings(sorted, sorted.strings());
        for (int i = 0; i < result.length; i++) {
            result[i] = !values.isNull(i) && find(list, values.longs()[i], values.lengths()[i]);
        }
    }

    private static boolean find(Values list, long address, int length) {
        int low = 0;
        int high = list.longs().length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Utf8.compare(list.longs()[middle], list.lengths()[middle], address, length);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }
}
