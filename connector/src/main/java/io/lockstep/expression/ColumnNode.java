package io.lockstep.expression;

import javax.annotation.Nullable;

/**
 * A column.
 *
 * @param index of the column among those of the expression
 */
record ColumnNode(Type type, int index, boolean isNullable) implements Node {

    @Override
    public Values evaluate(Chunk chunk, @Nullable boolean[] needed) {
        return chunk.column(index);
    }
}
