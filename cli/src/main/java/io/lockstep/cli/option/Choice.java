package io.lockstep.cli.option;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an enum constant in any case; prints it in lower case, as the docs do. */
public final class Choice<E extends Enum<E>> implements ITypeConverter<E> {

    private final Class<E> type;

    public Choice(Class<E> type) {
        this.type = type;
    }

    @Override
    public E convert(String value) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(value)) {
                return constant;
            }
        }
        throw new TypeConversionException("'" + value + "' is not one of " + names());
    }

    private String names() {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
