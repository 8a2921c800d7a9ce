package io.lockstep.expression;

import javax.annotation.Nullable;

/** An expression with a type. Immutable, and used by many threads. */
interface Node {

    Type type();

    /** Whether it uses no column, so that its number takes the type of what it meets. */
    default boolean isConstant() {
        return false;
    }

    /** Whether values can be null. */
    boolean isNullable();

    /**
     * Computes the values for a chunk.
     *
     * @param needed by row, whether its value matters; null if all do. Others must not fail
     * @throws Problem if a value that matters cannot be computed
     */
    Values evaluate(Chunk chunk, @Nullable boolean[] needed);
}
