package io.lockstep.cli.run;

import io.lockstep.cli.runfile.Quantities;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a byte count with its unit. */
final class SizeConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String value) {
        try {
            return Quantities.bytes(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + value + "' is not a size above 0, such as 800MB, 64GiB or 2TiB");
        }
    }
}
