package io.lockstep;

import org.apache.flink.annotation.Internal;

/** Makes names and values from outside safe to print on a terminal. */
@Internal
public final class Printable {

    private Printable() {}

    /**
     * Returns the text with line breaks, tabs, all other control characters, and the characters
     * that reverse the direction of what follows, as escapes of Java and JSON such as {@code \n}
     * and {@code \u001b}. The result is one line, and cannot change the state of a terminal.
     */
    public static String of(String text) {
        if (text.codePoints().noneMatch(Printable::isUnsafe)) {
            return text;
        }
        StringBuilder safe = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            if (isUnsafe(c)) {
                                safe.append(escape(c));
                            } else {
                                safe.appendCodePoint(c);
                            }
                        });
        return safe.toString();
    }

    private static boolean isUnsafe(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        };
    }

    private static String escape(int c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format("\\u%04x", c);
        };
    }
}
