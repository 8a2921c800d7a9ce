package io.lockstep.footer;

import javax.annotation.Nullable;
import org.apache.parquet.format.BsonType;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.EnumType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.JsonType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.MilliSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;

/**
 * Determines the logical types of values. Files of old writers use converted types, which are
 * translated to logical types as the format document LogicalTypes specifies.
 */
final class LogicalTypes {

    private LogicalTypes() {}

    /**
     * Returns the logical type; null if the element has none, or only a converted type without a
     * successor.
     */
    @Nullable
    static LogicalType of(SchemaElement element) {
        if (element.isSetLogicalType()) {
            return element.getLogicalType();
        }
        return element.isSetConverted_type() ? successor(element) : null;
    }

    private static LogicalType successor(SchemaElement element) {
        ConvertedType converted = element.getConverted_type();
        return switch (converted) {
            case UTF8 -> LogicalType.STRING(new StringType());
            case MAP, MAP_KEY_VALUE -> LogicalType.MAP(new MapType());
            case LIST -> LogicalType.LIST(new ListType());
            case ENUM -> LogicalType.ENUM(new EnumType());
            case DECIMAL ->
                    LogicalType.DECIMAL(
                            new DecimalType(element.getScale(), element.getPrecision()));
            case DATE -> LogicalType.DATE(new DateType());
            case TIME_MILLIS, TIME_MICROS ->
                    LogicalType.TIME(
                            new TimeType(true, unit(converted == ConvertedType.TIME_MILLIS)));
            case TIMESTAMP_MILLIS, TIMESTAMP_MICROS ->
                    LogicalType.TIMESTAMP(
                            new TimestampType(
                                    true, unit(converted == ConvertedType.TIMESTAMP_MILLIS)));
            case JSON -> LogicalType.JSON(new JsonType());
            case BSON -> LogicalType.BSON(new BsonType());
            case INTERVAL -> null;
            default -> integer(converted);
        };
    }

    private static LogicalType integer(ConvertedType converted) {
        return switch (converted) {
            case INT_8 -> integer(8, true);
            case INT_16 -> integer(16, true);
            case INT_32 -> integer(32, true);
            case INT_64 -> integer(64, true);
            case UINT_8 -> integer(8, false);
            case UINT_16 -> integer(16, false);
            case UINT_32 -> integer(32, false);
            case UINT_64 -> integer(64, false);
            default -> null;
        };
    }

    private static LogicalType integer(int bits, boolean signed) {
        return LogicalType.INTEGER(new IntType((byte) bits, signed));
    }

    private static TimeUnit unit(boolean milliseconds) {
        return milliseconds
                ? TimeUnit.MILLIS(new MilliSeconds())
                : TimeUnit.MICROS(new MicroSeconds());
    }
}
