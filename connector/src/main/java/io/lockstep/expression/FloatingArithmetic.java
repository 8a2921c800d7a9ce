package io.lockstep.expression;

import javax.annotation.Nullable;

/**
 * {@code + - * / %} in IEEE arithmetic. A result of type float32 is rounded to float32 after each
 * operation, which is the same as computing in float32. The sign of a remainder is that of the
 * divisor.
 */
record FloatingArithmetic(Type type, char operator, Node left, Node right) implements Node {

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
        double[] result = new double[chunk.size()];
        compute(a.doubles(), b.doubles(), result);
        if (type.is(Type.Kind.FLOAT)) {
            for (int i = 0; i < result.length; i++) {
                result[i] = (float) result[i];
            }
        }
        return Values.ofDoubles(result, Values.eitherNull(a, b, chunk.size()));
    }

    private void compute(double[] a, double[] b, double[] result) {
        switch (operator) {
            case '+' -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] + b[i];
                }
            }
            case '-' -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] - b[i];
                }
            }
            case '*' -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] * b[i];
                }
            }
            case '/' -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] / b[i];
                }
            }
            default -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = floorMod(a[i], b[i]);
                }
            }
        }
    }

    /** The remainder as Python and NumPy define it. */
    static double floorMod(double a, double b) {
        double remainder = a % b;
        if (remainder == 0) {
            return Math.copySign(0, b);
        }
        return remainder < 0 == b < 0 ? remainder : remainder + b;
    }
}
