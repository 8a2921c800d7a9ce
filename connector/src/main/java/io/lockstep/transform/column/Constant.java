package io.lockstep.transform.column;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.math.BigInteger;

/**
 * A constant that a column can be filled with.
 *
 * @param text of a text itself, of a number or boolean as JSON writes it
 */
public record Constant(String text, boolean isNumber, boolean isBoolean, boolean isText)
        implements Serializable {

    /** Returns a constant of the run file: a text, a number or a boolean. */
    public static Constant of(JsonNode value) {
        return new Constant(value.asText(), value.isNumber(), value.isBoolean(), value.isTextual());
    }

    public static Constant text(String text) {
        return new Constant(text, false, false, true);
    }

    public static Constant bool(boolean value) {
        return new Constant(Boolean.toString(value), false, true, false);
    }

    /** A number as JSON writes it. */
    public static Constant number(String text) {
        return new Constant(text, true, false, false);
    }

    boolean fits(NumberType type) {
        return isWhole() ? type.holds(whole()) : type.holds(number());
    }

    void write(NumberWriter writer, NumberType type, long address) {
        if (type.isFloating() || !isWhole()) {
            writer.put(address, number());
        } else {
            writer.put(address, whole());
        }
    }

    private boolean isWhole() {
        return text.matches("-?\\d+") && new BigInteger(text).bitLength() < Long.SIZE;
    }

    private long whole() {
        return Long.parseLong(text);
    }

    private double number() {
        return Double.parseDouble(text);
    }

    @Override
    public String toString() {
        return isText ? "the text '" + text + "'" : text;
    }
}
