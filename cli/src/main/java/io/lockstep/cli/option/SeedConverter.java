package io.lockstep.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an unsigned 64-bit number. */
public final class SeedConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String value) {
        try {
            return Long.parseUnsignedLong(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "'" + value + "' is not a whole number from 0 to 2^64 - 1");
        }
    }
}
