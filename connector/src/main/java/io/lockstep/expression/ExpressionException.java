package io.lockstep.expression;

import io.lockstep.Printable;
import io.lockstep.UserException;
import org.apache.flink.annotation.PublicEvolving;

/**
 * An expression that cannot be parsed, does not fit the columns, or fails for a value. The message
 * is one line with the text, the position in it, and what is wrong.
 */
@PublicEvolving
public class ExpressionException extends UserException {

    private static final long serialVersionUID = 1L;

    /** The number of characters of a long text that are shown before and after the position. */
    private static final int SHOWN = 30;

    /**
     * @param at the position in the text, from 0
     */
    ExpressionException(String text, int at, String problem) {
        super(
                String.format(
                        "%s, character %d: %s",
                        Printable.of(excerpt(text, at)), at + 1, Printable.of(problem)));
    }

    private static String excerpt(String text, int at) {
        int from = Math.max(0, at - SHOWN);
        int to = Math.min(text.length(), at + SHOWN);
        if (from <= 2) {
            from = 0;
        }
        if (text.length() - to <= 2) {
            to = text.length();
        }
        return (from > 0 ? "…" : "")
                + "`"
                + text.substring(from, to)
                + "`"
                + (to < text.length() ? "…" : "");
    }
}
