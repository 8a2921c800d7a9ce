package io.lockstep.expression;

import javax.annotation.Nullable;

/** An operator that compares two values. */
enum Comparator {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">=");

    private final String text;

    Comparator(String text) {
        this.text = text;
    }

    /** Returns the operator that is written so, or null. */
    @Nullable
    static Comparator of(String text) {
        return switch (text) {
            case "=", "==" -> EQUAL;
            case "<>", "!=" -> NOT_EQUAL;
            case "<" -> LESS;
            case "<=" -> AT_MOST;
            case ">" -> GREATER;
            case ">=" -> AT_LEAST;
            default -> null;
        };
    }

    boolean isEquality() {
        return this == EQUAL || this == NOT_EQUAL;
    }

    /**
     * Whether values compare so.
     *
     * @param order negative, zero or positive, as {@link java.util.Comparator} defines it
     */
    boolean holds(int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case AT_MOST -> order <= 0;
            case GREATER -> order > 0;
            case AT_LEAST -> order >= 0;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
