package io.lockstep.footer;

import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;

/** Maps Parquet's primitive types to Arrow types. */
final class ArrowTypes {

    private static final int MAX_DECIMAL_PRECISION = 38;
    private static final int DECIMAL_BITS = 128;
    private static final int HALF_BYTES = 2;

    private ArrowTypes() {}

    /**
     * @param leaf a node without children
     * @throws UnsupportedTypeException if Lockstep does not support the type, or the format does
     *     not allow the logical type for the primitive one
     */
    static ArrowType of(SchemaNode leaf) throws UnsupportedTypeException {
        SchemaElement element = leaf.element();
        LogicalType logical = leaf.logical();
        if (logical == null && element.getConverted_type() == ConvertedType.INTERVAL) {
            throw new UnsupportedTypeException("has type INTERVAL");
        }
        if (logical != null && logical.isSetDECIMAL()) {
            return decimal(leaf);
        }
        return switch (element.getType()) {
            case BOOLEAN -> logical == null ? ArrowType.Bool.INSTANCE : refuse(leaf);
            case INT32 -> int32(leaf);
            case INT64 -> int64(leaf);
            case INT96 ->
                    logical == null
                            ? new ArrowType.Timestamp(TimeUnit.NANOSECOND, null)
                            : refuse(leaf);
            case FLOAT -> logical == null ? floating(FloatingPointPrecision.SINGLE) : refuse(leaf);
            case DOUBLE -> logical == null ? floating(FloatingPointPrecision.DOUBLE) : refuse(leaf);
            case BYTE_ARRAY -> bytes(leaf);
            case FIXED_LEN_BYTE_ARRAY -> fixed(leaf);
        };
    }

    private static ArrowType int32(SchemaNode leaf) throws UnsupportedTypeException {
        LogicalType logical = leaf.logical();
        if (logical == null) {
            return new ArrowType.Int(Integer.SIZE, true);
        }
        if (logical.isSetINTEGER()) {
            int bits = logical.getINTEGER().getBitWidth();
            return bits == Byte.SIZE || bits == Short.SIZE || bits == Integer.SIZE
                    ? integer(logical)
                    : refuse(leaf);
        }
        if (logical.isSetDATE()) {
            return new ArrowType.Date(DateUnit.DAY);
        }
        if (logical.isSetTIME() && logical.getTIME().getUnit().isSetMILLIS()) {
            return new ArrowType.Time(TimeUnit.MILLISECOND, Integer.SIZE);
        }
        return refuse(leaf);
    }

    private static ArrowType int64(SchemaNode leaf) throws UnsupportedTypeException {
        LogicalType logical = leaf.logical();
        if (logical == null) {
            return new ArrowType.Int(Long.SIZE, true);
        }
        if (logical.isSetINTEGER() && logical.getINTEGER().getBitWidth() == Long.SIZE) {
            return integer(logical);
        }
        if (logical.isSetTIME() && !logical.getTIME().getUnit().isSetMILLIS()) {
            return new ArrowType.Time(unit(logical.getTIME().getUnit()), Long.SIZE);
        }
        if (logical.isSetTIMESTAMP()) {
            String zone = logical.getTIMESTAMP().isIsAdjustedToUTC() ? "UTC" : null;
            return new ArrowType.Timestamp(unit(logical.getTIMESTAMP().getUnit()), zone);
        }
        return refuse(leaf);
    }

    private static ArrowType bytes(SchemaNode leaf) throws UnsupportedTypeException {
        LogicalType logical = leaf.logical();
        if (logical == null || logical.isSetBSON()) {
            return ArrowType.Binary.INSTANCE;
        }
        if (logical.isSetSTRING() || logical.isSetENUM() || logical.isSetJSON()) {
            return ArrowType.Utf8.INSTANCE;
        }
        return refuse(leaf);
    }

    private static ArrowType fixed(SchemaNode leaf) throws UnsupportedTypeException {
        LogicalType logical = leaf.logical();
        int length = leaf.element().getType_length();
        if (length <= 0) {
            throw new UnsupportedTypeException("has values of " + length + " bytes");
        }
        if (logical == null || logical.isSetUUID()) {
            return new ArrowType.FixedSizeBinary(length);
        }
        if (logical.isSetFLOAT16() && length == HALF_BYTES) {
            return floating(FloatingPointPrecision.HALF);
        }
        return refuse(leaf);
    }

    private static ArrowType decimal(SchemaNode leaf) throws UnsupportedTypeException {
        int precision = leaf.logical().getDECIMAL().getPrecision();
        if (precision > MAX_DECIMAL_PRECISION) {
            throw new UnsupportedTypeException(
                    "has decimals of " + precision + " digits, more than " + MAX_DECIMAL_PRECISION);
        }
        int scale = leaf.logical().getDECIMAL().getScale();
        if (precision < 1 || scale < 0 || scale > precision) {
            throw new UnsupportedTypeException(
                    "has decimals of "
                            + precision
                            + " digits, of them "
                            + scale
                            + " decimal places");
        }
        return switch (leaf.element().getType()) {
            case INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY ->
                    new ArrowType.Decimal(precision, scale, DECIMAL_BITS);
            default -> refuse(leaf);
        };
    }

    private static ArrowType integer(LogicalType logical) {
        return new ArrowType.Int(
                logical.getINTEGER().getBitWidth(), logical.getINTEGER().isIsSigned());
    }

    private static ArrowType floating(FloatingPointPrecision precision) {
        return new ArrowType.FloatingPoint(precision);
    }

    private static TimeUnit unit(org.apache.parquet.format.TimeUnit unit) {
        if (unit.isSetMILLIS()) {
            return TimeUnit.MILLISECOND;
        }
        return unit.isSetMICROS() ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND;
    }

    private static ArrowType refuse(SchemaNode leaf) throws UnsupportedTypeException {
        // The field is null if a later version of the format added the type.
        Object name = leaf.logical() == null ? null : leaf.logical().getSetField();
        throw new UnsupportedTypeException(
                "has "
                        + (name == null ? "an unknown logical type" : "type " + name)
                        + " ("
                        + leaf.element().getType()
                        + ")");
    }
}
