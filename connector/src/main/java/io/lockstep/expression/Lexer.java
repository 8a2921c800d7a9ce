package io.lockstep.expression;

import java.util.ArrayList;
import java.util.List;

/** Cuts a text into tokens. */
final class Lexer {

    private static final List<String> SIGNS =
            List.of(
                    "<=", ">=", "<>", "!=", "==", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")",
                    ",", ".");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String text) {
        this.text = text;
    }

    /**
     * Returns the tokens, the last of which is the end.
     *
     * @throws Problem if the text has a character or a number that is none
     */
    static List<Token> tokens(String text) {
        return new Lexer(text).all();
    }

    private List<Token> all() {
        while (at < text.length()) {
            int start = at;
            int c = text.codePointAt(at);
            if (Character.isWhitespace(c)) {
                at += Character.charCount(c);
            } else if (c == '\'' || c == '"') {
                String content = quoted((char) c);
                tokens.add(
                        new Token(
                                c == '"' ? Token.Kind.QUOTED : Token.Kind.STRING, start, content));
            } else if (isDigit(at) || (c == '.' && isDigit(at + 1))) {
                number();
            } else if (isWordStart(c)) {
                word();
            } else {
                sign(c);
            }
        }
        tokens.add(new Token(Token.Kind.END, text.length(), ""));
        return tokens;
    }

    /** Reads up to the closing quote; two quotes stand for one. */
    private String quoted(char quote) {
        int start = at;
        StringBuilder content = new StringBuilder();
        int next = at + 1;
        while (true) {
            int end = text.indexOf(quote, next);
            if (end < 0) {
                throw new Problem(start, "the closing " + quote + " is missing");
            }
            content.append(text, next, end);
            at = end + 1;
            if (at >= text.length() || text.charAt(at) != quote) {
                return content.toString();
            }
            content.append(quote);
            next = at + 1;
        }
    }

    private void number() {
        int start = at;
        digits();
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            int sign = at + 1;
            boolean signed =
                    sign < text.length() && (text.charAt(sign) == '+' || text.charAt(sign) == '-');
            if (isDigit(signed ? sign + 1 : sign)) {
                at = signed ? sign + 1 : sign;
                digits();
            }
        }
        if (at < text.length() && isWordPart(text.codePointAt(at))) {
            throw new Problem(
                    start,
                    "a name that begins with a digit needs double quotes, and a number ends before"
                            + " a letter");
        }
        tokens.add(new Token(Token.Kind.NUMBER, start, text.substring(start, at)));
    }

    private void digits() {
        while (isDigit(at)) {
            at++;
        }
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private void word() {
        int start = at;
        while (at < text.length() && isWordPart(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        tokens.add(new Token(Token.Kind.WORD, start, text.substring(start, at)));
    }

    private static boolean isWordStart(int c) {
        return c == '_' || Character.isLetter(c);
    }

    private static boolean isWordPart(int c) {
        return isWordStart(c)
                || Character.isDigit(c)
                || Character.getType(c) == Character.NON_SPACING_MARK;
    }

    private void sign(int c) {
        for (String sign : SIGNS) {
            if (text.startsWith(sign, at)) {
                tokens.add(new Token(Token.Kind.SIGN, at, sign));
                at += sign.length();
                return;
            }
        }
        throw new Problem(
                at,
                switch (c) {
                    case '&' -> "'&' is not an operator; write 'and'";
                    case '|' -> "'|' is not an operator; write 'or'";
                    case '!', '~' -> "'" + (char) c + "' is not an operator; write 'not'";
                    case '`' -> "write the name of a column in double quotes, not in backticks";
                    default ->
                            "the character '"
                                    + Character.toString(c)
                                    + "' has no meaning; write the name of a column that contains"
                                    + " it in double quotes";
                });
    }
}
