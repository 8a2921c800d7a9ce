package io.lockstep.footer;

import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.BsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/** The Arrow type of each primitive type of Parquet. */
final class ArrowTypes {

    private static final ArrowType UTF8 = ArrowType.Utf8.INSTANCE;
    private static final int MAX_DECIMAL_PRECISION = 38;
    private static final int DECIMAL_BITS = 128;

    private ArrowTypes() {}

    static ArrowType of(PrimitiveType type) throws UnsupportedTypeException {
        LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
        if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
            return decimal(decimal);
        }
        return switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> logical == null ? ArrowType.Bool.INSTANCE : refuse(type);
            case INT32 -> int32(type, logical);
            case INT64 -> int64(type, logical);
            case INT96 -> new ArrowType.Timestamp(TimeUnit.NANOSECOND, null);
            case FLOAT -> logical == null ? floating(FloatingPointPrecision.SINGLE) : refuse(type);
            case DOUBLE -> logical == null ? floating(FloatingPointPrecision.DOUBLE) : refuse(type);
            case BINARY -> binary(type, logical);
            case FIXED_LEN_BYTE_ARRAY -> fixed(type, logical);
        };
    }

    private static ArrowType int32(PrimitiveType type, LogicalTypeAnnotation logical)
            throws UnsupportedTypeException {
        if (logical == null) {
            return new ArrowType.Int(Integer.SIZE, true);
        }
        if (logical instanceof IntLogicalTypeAnnotation number
                && number.getBitWidth() <= Integer.SIZE) {
            return new ArrowType.Int(number.getBitWidth(), number.isSigned());
        }
        if (logical instanceof DateLogicalTypeAnnotation) {
            return new ArrowType.Date(DateUnit.DAY);
        }
        if (logical instanceof TimeLogicalTypeAnnotation time
                && time.getUnit() == LogicalTypeAnnotation.TimeUnit.MILLIS) {
            return new ArrowType.Time(TimeUnit.MILLISECOND, Integer.SIZE);
        }
        return refuse(type);
    }

    private static ArrowType int64(PrimitiveType type, LogicalTypeAnnotation logical)
            throws UnsupportedTypeException {
        if (logical == null) {
            return new ArrowType.Int(Long.SIZE, true);
        }
        if (logical instanceof IntLogicalTypeAnnotation number
                && number.getBitWidth() == Long.SIZE) {
            return new ArrowType.Int(Long.SIZE, number.isSigned());
        }
        if (logical instanceof TimeLogicalTypeAnnotation time
                && time.getUnit() != LogicalTypeAnnotation.TimeUnit.MILLIS) {
            return new ArrowType.Time(unit(time.getUnit()), Long.SIZE);
        }
        if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
            String zone = timestamp.isAdjustedToUTC() ? "UTC" : null;
            return new ArrowType.Timestamp(unit(timestamp.getUnit()), zone);
        }
        return refuse(type);
    }

    private static ArrowType binary(PrimitiveType type, LogicalTypeAnnotation logical)
            throws UnsupportedTypeException {
        if (logical instanceof StringLogicalTypeAnnotation
                || logical instanceof EnumLogicalTypeAnnotation
                || logical instanceof JsonLogicalTypeAnnotation) {
            return UTF8;
        }
        if (logical == null || logical instanceof BsonLogicalTypeAnnotation) {
            return ArrowType.Binary.INSTANCE;
        }
        return refuse(type);
    }

    private static ArrowType fixed(PrimitiveType type, LogicalTypeAnnotation logical)
            throws UnsupportedTypeException {
        if (logical == null || logical instanceof UUIDLogicalTypeAnnotation) {
            return new ArrowType.FixedSizeBinary(type.getTypeLength());
        }
        if (logical instanceof Float16LogicalTypeAnnotation) {
            return floating(FloatingPointPrecision.HALF);
        }
        return refuse(type);
    }

    private static ArrowType decimal(DecimalLogicalTypeAnnotation decimal)
            throws UnsupportedTypeException {
        if (decimal.getPrecision() > MAX_DECIMAL_PRECISION) {
            throw new UnsupportedTypeException(
                    "has decimals of "
                            + decimal.getPrecision()
                            + " digits, more than "
                            + MAX_DECIMAL_PRECISION);
        }
        return new ArrowType.Decimal(decimal.getPrecision(), decimal.getScale(), DECIMAL_BITS);
    }

    private static ArrowType floating(FloatingPointPrecision precision) {
        return new ArrowType.FloatingPoint(precision);
    }

    private static TimeUnit unit(LogicalTypeAnnotation.TimeUnit unit) {
        return switch (unit) {
            case MILLIS -> TimeUnit.MILLISECOND;
            case MICROS -> TimeUnit.MICROSECOND;
            case NANOS -> TimeUnit.NANOSECOND;
        };
    }

    private static ArrowType refuse(PrimitiveType type) throws UnsupportedTypeException {
        throw new UnsupportedTypeException(
                "has type "
                        + type.getLogicalTypeAnnotation()
                        + " ("
                        + type.getPrimitiveTypeName()
                        + ")");
    }
}
