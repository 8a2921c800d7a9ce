package io.lockstep.expression;

import javax.annotation.Nullable;

/**
 * {@code + - * %} of 64-bit integers. The sign of a remainder is that of the divisor. Overflow and
 * a divisor of zero are errors.
 */
record IntegerArithmetic(int at, char operator, Node left, Node right) implements Node {

    @Override
    public Type type() {
        return Type.INTEGER;
    }

    @Override
    public boolean isConstant() {
        return left.isConstant() && right.isConstant();
    }

    @Override
    public boolean isNullable() {
        return left.isNullable() || right.isNullable();
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        Values a = left.evaluate(chunk, needed);
        Values b = right.evaluate(chunk, needed);
        boolean[] nulls = Values.eitherNull(a, b, chunk.size());
        long[] result = new long[chunk.size()];
        boolean[] failed = new boolean[chunk.size()];
        if (compute(a.longs(), b.longs(), result, failed)) {
            Failures.raise(
                    failed, nulls, needed, chunk, at, i -> problem(a.longs()[i], b.longs()[i]));
        }
        return Values.ofLongs(result, nulls);
    }

    /** Returns whether a value failed. */
    private boolean compute(long[] a, long[] b, long[] result, boolean[] failed) {
        boolean any = false;
        switch (operator) {
            case '+' -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] + b[i];
                    failed[i] = ((a[i] ^ result[i]) & (b[i] ^ result[i])) < 0;
                    any |= failed[i];
                }
            }
            case '-' -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] - b[i];
                    failed[i] = ((a[i] ^ b[i]) & (a[i] ^ result[i])) < 0;
                    any |= failed[i];
                }
            }
            case '*' -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] * b[i];
                    failed[i] = Math.multiplyHigh(a[i], b[i]) != result[i] >> (Long.SIZE - 1);
                    any |= failed[i];
                }
            }
            default -> {
                for (int i = 0; i < result.length; i++) {
                    failed[i] = b[i] == 0;
                    result[i] = failed[i] ? 0 : Math.floorMod(a[i], b[i]);
                    any |= failed[i];
                }
            }
        }
        return any;
    }

    private String problem(long a, long b) {
        return operator == '%'
                ? a + " % 0 is undefined"
                : a + " " + operator + " " + b + " is beyond the range of int64";
    }
}
