package io.lockstep.expression;

import java.util.List;
import java.util.function.Consumer;
import javax.annotation.Nullable;

/** The tree of an expression's text, without types. */
sealed interface Syntax {

    /** The position in the text for messages, from 0: the operator, or the first character. */
    int at();

    /** Calls a consumer with each operand, in the order of the text. */
    default void operands(Consumer<Syntax> consumer) {}

    /** A column by its name. */
    record Column(int at, String name) implements Syntax {}

    /** A constant. */
    record Literal(int at, Constant value) implements Syntax {}

    /** {@code - operand}. */
    record Negation(int at, Syntax operand) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(operand);
        }
    }

    /** Two numbers and one of {@code + - * / %}. */
    record Arithmetic(int at, char operator, Syntax left, Syntax right) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(left);
            consumer.accept(right);
        }
    }

    /** Two values compared. */
    record Comparison(int at, Comparator operator, Syntax left, Syntax right) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(left);
            consumer.accept(right);
        }
    }

    /** {@code operand [not] between low and high}. */
    record Between(int at, Syntax operand, Syntax low, Syntax high, boolean not) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(operand);
            consumer.accept(low);
            consumer.accept(high);
        }
    }

    /** {@code operand [not] in (values)}. */
    record Membership(int at, Syntax operand, List<Literal> values, boolean not) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(operand);
        }
    }

    /** {@code operand is [not] null}. */
    record NullTest(int at, Syntax operand, boolean not) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(operand);
        }
    }

    /**
     * {@code operand [not] like pattern [escape escape]}.
     *
     * @param escape the character that quotes the next one, as a code point; null for none
     */
    record Like(int at, Syntax operand, String pattern, @Nullable Integer escape, boolean not)
            implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(operand);
        }
    }

    /** {@code not operand}. */
    record Not(int at, Syntax operand) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            consumer.accept(operand);
        }
    }

    /** At least two conditions joined by {@code and} or by {@code or}. */
    record Junction(int at, boolean and, List<Syntax> conditions) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            conditions.forEach(consumer);
        }
    }

    /** {@code coalesce(values)}. */
    record Coalesce(int at, List<Syntax> values) implements Syntax {
        @Override
        public void operands(Consumer<Syntax> consumer) {
            values.forEach(consumer);
        }
    }
}
