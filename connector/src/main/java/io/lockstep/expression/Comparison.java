package io.lockstep.expression;

import javax.annotation.Nullable;

/**
 * Compares values of the same type, or a signed with an unsigned integer. Comparisons with NaN are
 * false, except {@code <>}, which is true. Strings are compared by code points.
 */
record Comparison(Comparator comparator, Node left, Node right) implements Node {

    /** Creates a comparison; {@code a > b} becomes {@code b < a}. */
    static Comparison of(Comparator comparator, Node left, Node right) {
        return switch (comparator) {
            case GREATER -> new Comparison(Comparator.LESS, right, left);
            case AT_LEAST -> new Comparison(Comparator.AT_MOST, right, left);
            default -> new Comparison(comparator, left, right);
        };
    }

    @Override
    public Type type() {
        return Type.BOOLEAN;
    }

    @Override
    public boolean isNullable() {
        return left.isNullable() || right.isNullable();
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        Values a = left.evaluate(chunk, needed);
        Values b = right.evaluate(chunk, needed);
        boolean[] result = new boolean[chunk.size()];
        switch (left.type().kind()) {
            case BOOLEAN -> booleans(a.booleans(), b.booleans(), result);
            case INTEGER, UNSIGNED -> integers(a.longs(), b.longs(), result);
            case DATE, TIMESTAMP -> longs(a.longs(), b.longs(), 0, result);
            case FLOAT, DOUBLE -> doubles(a.doubles(), b.doubles(), result);
            case STRING -> strings(a, b, result, needed);
            default -> throw new IllegalStateException(left.type().toString());
        }
        return Values.ofBooleans(result, Values.eitherNull(a, b, chunk.size()));
    }

    private void booleans(boolean[] a, boolean[] b, boolean[] result) {
        boolean equal = comparator == Comparator.EQUAL;
        for (int i = 0; i < result.length; i++) {
            result[i] = (a[i] == b[i]) == equal;
        }
    }

    private void integers(long[] a, long[] b, boolean[] result) {
        boolean unsigned = left.type().is(Type.Kind.UNSIGNED);
        if (left.type().equals(right.type())) {
            longs(a, b, unsigned ? Long.MIN_VALUE : 0, result);
            return;
        }
        int below = unsigned ? 1 : -1;
        for (int i = 0; i < result.length; i++) {
            // A negative number is below any unsigned one, and one from 2^63 on above any signed.
            int order = a[i] < 0 || b[i] < 0 ? below : Long.compare(a[i], b[i]);
            result[i] = comparator.holds(order);
        }
    }

    /**
     * @param flip what turns the values' order into that of longs by exclusive or
     */
    private void longs(long[] a, long[] b, long flip, boolean[] result) {
        switch (comparator) {
            case EQUAL -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] == b[i];
                }
            }
            case NOT_EQUAL -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] != b[i];
                }
            }
            case LESS -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = (a[i] ^ flip) < (b[i] ^ flip);
                }
            }
            default -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = (a[i] ^ flip) <= (b[i] ^ flip);
                }
            }
        }
    }

    private void doubles(double[] a, double[] b, boolean[] result) {
        switch (comparator) {
            case EQUAL -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] == b[i];
                }
            }
            case NOT_EQUAL -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] != b[i];
                }
            }
            case LESS -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] < b[i];
                }
            }
            default -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] <= b[i];
                }
            }
        }
    }

    private void strings(Values a, Values b, boolean[] result, @Nullable boolean[] needed) {
        boolean equality = comparator.isEquality();
        for (int i = 0; i < result.length; i++) {
            // The address of a null is undefined.
            if (a.isNull(i) || b.isNull(i) || (needed != null && !needed[i])) {
                continue;
            }
            int order =
                    equality && a.lengths()[i] != b.lengths()[i]
                            ? 1
                            : Utf8.compare(
                                    a.longs()[i], a.lengths()[i], b.longs()[i], b.lengths()[i]);
            result[i] = comparator.holds(order);
        }
    }
}
