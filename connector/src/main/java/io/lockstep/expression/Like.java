package io.lockstep.expression;

import javax.annotation.Nullable;

/** Whether a string matches a pattern. */
record Like(Node operand, LikePattern pattern) implements Node {

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
        for (int i = 0; i < result.length; i++) {
            result[i] =
                    !values.isNull(i) && pattern.matches(values.longs()[i], values.lengths()[i]);
        }
        return Values.ofBooleans(result, values.nulls());
    }
}
