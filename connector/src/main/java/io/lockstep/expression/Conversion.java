package io.lockstep.expression;

import javax.annotation.Nullable;

/**
 * Converts integers to other numbers, float32 to float64, and dates and timestamps to a finer unit.
 *
 * @param at the position of the operand, for messages
 */
record Conversion(int at, Type type, Node operand) implements Node {

    /** Returns a node with values of another type. */
    static Node to(Type type, int at, Node operand) {
        return operand.type().equals(type) ? operand : new Conversion(at, type, operand);
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
        if (type.isTime()) {
            return Values.ofLongs(finer(values, chunk, needed), values.nulls());
        }
        if (type.isInteger()) {
            check(values, chunk, needed);
            return values;
        }
        double[] numbers =
                operand.type().isFloating()
                        ? values.doubles().clone()
                        : doubles(values.longs(), chunk.size());
        if (type.is(Type.Kind.FLOAT)) {
            for (int i = 0; i < chunk.size(); i++) {
                numbers[i] = (float) numbers[i];
            }
        }
        return Values.ofDoubles(numbers, values.nulls());
    }

    private double[] doubles(long[] values, int size) {
        double[] doubles = new double[size];
        boolean unsigned = operand.type().is(Type.Kind.UNSIGNED);
        for (int i = 0; i < size; i++) {
            // The low bit keeps the result correctly rounded.
            doubles[i] =
                    unsigned && values[i] < 0
                            ? ((values[i] >>> 1) | (values[i] & 1)) * 2.0
                            : type.is(Type.Kind.FLOAT) ? (float) values[i] : values[i];
        }
        return doubles;
    }

    /** Integers with and without a sign have the same bits up to 2^63 - 1. */
    private void check(Values values, Chunk chunk, @Nullable boolean[] needed) {
        boolean[] failed = new boolean[chunk.size()];
        for (int i = 0; i < failed.length; i++) {
            failed[i] = values.longs()[i] < 0;
        }
        Failures.raise(
                failed,
                values.nulls(),
                needed,
                chunk,
                at,
                i ->
                        (operand.type().is(Type.Kind.UNSIGNED)
                                        ? Long.toUnsignedString(values.longs()[i])
                                        : Long.toString(values.longs()[i]))
                                + " is beyond the range of "
                                + type);
    }

    private long[] finer(Values values, Chunk chunk, @Nullable boolean[] needed) {
        long factor = Times.factor(operand.type(), type);
        long[] finer = new long[chunk.size()];
        boolean[] failed = new boolean[chunk.size()];
        for (int i = 0; i < finer.length; i++) {
            finer[i] = values.longs()[i] * factor;
            failed[i] = Math.multiplyHigh(values.longs()[i], factor) != finer[i] >> (Long.SIZE - 1);
        }
        Failures.raise(
                failed,
                values.nulls(),
                needed,
                chunk,
                at,
                i -> "a time is beyond the range of the finer unit it is compared in");
        return finer;
    }
}
