package io.lockstep.expression;

/**
 * A word, number, string or sign of the text.
 *
 * @param at the position of its first character, from 0
 * @param text the content without quotes; of words and signs as written
 */
record Token(Kind kind, int at, String text) {

    /** The kinds of tokens. */
    enum Kind {
        WORD,
        QUOTED,
        NUMBER,
        STRING,
        SIGN,
        END
    }

    /** Whether this is an unquoted word, in any case. */
    boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSign(String sign) {
        return kind == Kind.SIGN && text.equals(sign);
    }

    /** The token as messages show it. */
    String shown() {
        return switch (kind) {
            case END -> "the end";
            case STRING -> "'" + shortened(text) + "'";
            case QUOTED -> "\"" + shortened(text) + "\"";
            default -> "'" + shortened(text) + "'";
        };
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
