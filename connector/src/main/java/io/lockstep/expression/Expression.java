package io.lockstep.expression;

import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.PublicEvolving;

/** An expression as parsed, independent of the columns that it is applied to. Immutable. */
@PublicEvolving
public final class Expression implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String text;
    private final transient Syntax syntax;

    private Expression(String text, Syntax syntax) {
        this.text = text;
        this.syntax = syntax;
    }

    /**
     * Parses a text.
     *
     * @throws ExpressionException if it is not an expression
     */
    public static Expression parse(String text) {
        try {
            return new Expression(text, Parser.parse(text));
        } catch (Problem e) {
            throw e.in(text);
        }
    }

    /** The text as parsed. */
    public String text() {
        return text;
    }

    /** The names of the columns that it uses, in the order of the text. */
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>();
        collect(syntax, columns);
        return columns;
    }

    private static void collect(Syntax syntax, Set<String> columns) {
        if (syntax instanceof Syntax.Column column) {
            columns.add(column.name());
        }
        syntax.operands(operand -> collect(operand, columns));
    }

    /**
     * Finds the types of the expression over the columns of a schema, which may have others too.
     *
     * @throws ExpressionException if a column does not exist, or has a type that the expression
     *     cannot be applied to
     */
    public BoundExpression bind(Schema schema) {
        try {
            return new BoundExpression(text, Binder.bind(syntax, schema));
        } catch (Problem e) {
            throw e.in(text);
        }
    }

    Syntax syntax() {
        return syntax;
    }

    private Object readResolve() throws ObjectStreamException {
        return parse(text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Expression expression && expression.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
