package io.lockstep.expression;

import javax.annotation.Nullable;

/** {@code is null}; NaN is not null. */
record NullTest(Node operand) implements Node {

    @Override
    public Type type() {
        return Type.BOOLEAN;
    }

    @Override
    public boolean isNullable() {
        return false;
    }

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        Values values = operand.evaluate(chunk, needed);
        boolean[] nulls = values.nulls() == null ? new boolean[chunk.size()] : values.nulls();
        return Values.ofBooleans(nulls, null);
    }
}
