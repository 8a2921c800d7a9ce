package io.lockstep.expression;

import io.lockstep.manifest.TypeNames;
import org.apache.arrow.vector.types.pojo.Schema;

/** Names operands in messages. */
final class Nouns {

    private Nouns() {}

    /** Returns a column with its type, a literal as written, and the type of all else. */
    static String of(Syntax syntax, Node node, Schema schema) {
        if (syntax instanceof Syntax.Column column) {
            return "the column \""
                    + column.name()
                    + "\" of type "
                    + TypeNames.of(schema.findField(column.name()));
        }
        if (syntax instanceof Syntax.Literal literal) {
            String text = literal.value().text();
            return text.length() <= 40 ? text : text.substring(0, 40) + "…";
        }
        return "a value of type " + node.type();
    }
}
