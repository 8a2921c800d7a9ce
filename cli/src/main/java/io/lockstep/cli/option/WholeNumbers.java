package io.lockstep.cli.option;

import picocli.CommandLine.TypeConversionException;

/** Parses numeric options and reports their range. */
public final class WholeNumbers {

    private WholeNumbers() {}

    public static Integer toInteger(String value) {
        return (int) parse(value, Integer.MAX_VALUE);
    }

    public static Long toLong(String value) {
        return parse(value, Long.MAX_VALUE);
    }

    private static long parse(String value, long most) {
        try {
            long number = Long.parseLong(value);
            if (Math.abs(number) <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is too large.
        }
        throw new TypeConversionException("'" + value + "' is not a whole number up to " + most);
    }
}
