package io.lockstep.manifest;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The types that a partition column can have. */
public enum PartitionType {
    STRING(ArrowType.Utf8.INSTANCE, text -> text.getBytes(StandardCharsets.UTF_8)),
    INT32(new ArrowType.Int(Integer.SIZE, true), Integer::valueOf),
    INT64(new ArrowType.Int(Long.SIZE, true), Long::valueOf),
    FLOAT32(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE), Float::valueOf),
    FLOAT64(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE), Double::valueOf),
    BOOL(ArrowType.Bool.INSTANCE, PartitionType::bool),
    DATE32(
            new ArrowType.Date(DateUnit.DAY),
            text -> Math.toIntExact(LocalDate.parse(text).toEpochDay()));

    private final ArrowType arrow;
    private final Function<String, Object> parser;

    PartitionType(ArrowType arrow, Function<String, Object> parser) {
        this.arrow = arrow;
        this.parser = parser;
    }

    ArrowType arrow() {
        return arrow;
    }

    static PartitionType of(ArrowType arrow) {
        return Arrays.stream(values())
                .filter(type -> type.arrow.equals(arrow))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the value: bytes in UTF-8 of a string, days since 1970 of a date.
     *
     * @throws RuntimeException if the text is not of this type
     */
    Object parse(String text) {
        return parser.apply(text);
    }

    private static Object bool(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return text.equals("true");
    }

    /** Returns the name in run files, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
