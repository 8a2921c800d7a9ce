package io.lockstep.expression;

import java.util.Arrays;
import javax.annotation.Nullable;

/** The same value for all rows. */
final class ConstantNode implements Node {

    private final Constant constant;
    private final Type type;

    /** A constant of its own type. */
    ConstantNode(Constant constant) {
        this(constant, constant.type());
    }

    /** Null as a value of a type. */
    static ConstantNode ofNull(Type type) {
        return new ConstantNode(Constant.ofNull(), type);
    }

    private ConstantNode(Constant constant, Type type) {
        this.constant = constant;
        this.type = type;
    }

    Constant constant() {
        return constant;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public boolean isConstant() {
        return true;
    }

    @Override
    public boolean isNullable() {
        return constant.isNull();
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        int size = chunk.size();
        boolean[] nulls = null;
        if (constant.isNull()) {
            nulls = new boolean[size];
            Arrays.fill(nulls, true);
        }
        if (type.is(Type.Kind.STRING)) {
            Values one = chunk.evaluation().strings(constant, new byte[][] {constant.utf8()});
            int[] lengths = new int[size];
            Arrays.fill(lengths, one.lengths()[0]);
            return Values.ofStrings(filled(one.longs()[0], size), lengths, nulls);
        }
        if (type.isFloating()) {
            double[] doubles = new double[size];
            Arrays.fill(doubles, constant.number());
            return Values.ofDoubles(doubles, nulls);
        }
        if (type.is(Type.Kind.BOOLEAN)) {
            boolean[] booleans = new boolean[size];
            Arrays.fill(booleans, constant.bits() != 0);
            return Values.ofBooleans(booleans, nulls);
        }
        return Values.ofLongs(filled(constant.bits(), size), nulls);
    }

    private static long[] filled(long value, int size) {
        long[] filled = new long[size];
        Arrays.fill(filled, value);
        return filled;
    }
}
