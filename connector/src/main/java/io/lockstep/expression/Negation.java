package io.lockstep.expression;

import javax.annotation.Nullable;

/** Unary minus of a number that is not unsigned. */
record Negation(int at, Node operand) implements Node {

    @Override
    public Type type() {
        return operand.type();
    }

    @Override
    public boolean isConstant() {
        return operand.isConstant();
    }

    @Override
    public boolean isNullable() {
        return operand.isNullable();
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        Values values = operand.evaluate(chunk, needed);
        return type().isFloating()
                ? Values.ofDoubles(negated(values.doubles(), chunk.size()), values.nulls())
                : Values.ofLongs(negated(values, chunk, needed), values.nulls());
    }

    private static double[] negated(double[] values, int size) {
        double[] negated = new double[size];
        for (int i = 0; i < size; i++) {
            negated[i] = -values[i];
        }
        return negated;
    }

    private long[] negated(Values values, Chunk chunk, @Nullable boolean[] needed) {
        long[] negated = new long[chunk.size()];
        boolean[] failed = new boolean[chunk.size()];
        for (int i = 0; i < negated.length; i++) {
            negated[i] = -values.longs()[i];
            failed[i] = values.longs()[i] == Long.MIN_VALUE;
        }
        Failures.raise(
                failed,
                values.nulls(),
                needed,
                chunk,
                at,
                i -> "-(" + Long.MIN_VALUE + ") is beyond the range of int64");
        return negated;
    }
}
