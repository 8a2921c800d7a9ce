package io.lockstep.manifest;

import java.util.Locale;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Formats types for messages and {@code plan}, for example {@code list<float32>}. */
public final class TypeNames {

    private TypeNames() {}

    public static String of(Field field) {
        ArrowType type = field.getType();
        return switch (type.getTypeID()) {
            case List -> "list<" + of(field.getChildren().get(0)) + ">";
            case FixedSizeList ->
                    "fixed_size_list<"
                            + of(field.getChildren().get(0))
                            + ">["
                            + ((ArrowType.FixedSizeList) type).getListSize()
                            + "]";
            case Int -> integer((ArrowType.Int) type);
            case FloatingPoint -> floating((ArrowType.FloatingPoint) type);
            case Utf8 -> "string";
            case FixedSizeBinary ->
                    "fixed_size_binary[" + ((ArrowType.FixedSizeBinary) type).getByteWidth() + "]";
            case Decimal -> {
                ArrowType.Decimal decimal = (ArrowType.Decimal) type;
                yield "decimal"
                        + decimal.getBitWidth()
                        + "("
                        + decimal.getPrecision()
                        + ", "
                        + decimal.getScale()
                        + ")";
            }
            case Date -> ((ArrowType.Date) type).getUnit() == DateUnit.DAY ? "date32" : "date64";
            case Time -> {
                ArrowType.Time time = (ArrowType.Time) type;
                yield "time" + time.getBitWidth() + "[" + unit(time.getUnit()) + "]";
            }
            case Timestamp -> timestamp((ArrowType.Timestamp) type);
            case Duration -> "duration[" + unit(((ArrowType.Duration) type).getUnit()) + "]";
            default -> type.getTypeID().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String integer(ArrowType.Int type) {
        return (type.getIsSigned() ? "int" : "uint") + type.getBitWidth();
    }

    private static String floating(ArrowType.FloatingPoint type) {
        return switch (type.getPrecision()) {
            case HALF -> "float16";
            case SINGLE -> "float32";
            case DOUBLE -> "float64";
        };
    }

    private static String timestamp(ArrowType.Timestamp type) {
        String zone = type.getTimezone() == null ? "" : ", " + type.getTimezone();
        return "timestamp[" + unit(type.getUnit()) + zone + "]";
    }

    private static String unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> "s";
            case MILLISECOND -> "ms";
            case MICROSECOND -> "us";
            case NANOSECOND -> "ns";
        };
    }
}
