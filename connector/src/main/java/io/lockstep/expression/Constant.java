package io.lockstep.expression;

import java.nio.charset.StandardCharsets;

/**
 * A value that stands in the text.
 *
 * @param text as written, for messages
 * @param bits of integers, dates and timestamps, and 1 for true
 * @param number of floating-point constants
 * @param string of strings
 */
record Constant(Type type, String text, long bits, double number, String string) {

    static Constant ofNull() {
        return new Constant(Type.NULL, "null", 0, 0, "");
    }

    static Constant of(boolean value) {
        return new Constant(Type.BOOLEAN, String.valueOf(value), value ? 1 : 0, 0, "");
    }

    static Constant of(Type type, String text, long bits) {
        return new Constant(type, text, bits, 0, "");
    }

    static Constant of(Type type, String text, double number) {
        return new Constant(type, text, 0, number, "");
    }

    static Constant of(String string) {
        return new Constant(Type.STRING, "'" + string.replace("'", "''") + "'", 0, 0, string);
    }

    boolean isNull() {
        return type.equals(Type.NULL);
    }

    byte[] utf8() {
        return string.getBytes(StandardCharsets.UTF_8);
    }
}
