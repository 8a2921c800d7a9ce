package io.lockstep.transform.column;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The values of a column of integers, dates or times as 64-bit numbers. Unsigned 64-bit values keep
 * their bits. The value of a null is undefined.
 */
@FunctionalInterface
public interface LongValues {

    long get(int row);

    static boolean isUnsigned64(Field column) {
        return column.getType() instanceof ArrowType.Int type
                && !type.getIsSigned()
                && type.getBitWidth() == Long.SIZE;
    }

    static double unsignedToDouble(long value) {
        // The low bit keeps the result correctly rounded.
        return value >= 0 ? value : ((value >>> 1) | (value & 1)) * 2.0;
    }

    /** Reads a vector, which must stay open and unchanged. */
    static LongValues of(FieldVector vector) {
        long data = vector.getDataBufferAddress();
        ArrowType type = vector.getField().getType();
        boolean signed = !(type instanceof ArrowType.Int integer) || integer.getIsSigned();
        return switch (((BaseFixedWidthVector) vector).getTypeWidth() * Byte.SIZE) {
            case Byte.SIZE ->
                    signed
                            ? row -> MemoryUtil.getByte(data + row)
                            : row -> MemoryUtil.getByte(data + row) & 0xFFL;
            case Short.SIZE ->
                    signed
                            ? row -> MemoryUtil.getShort(data + (long) row * Short.BYTES)
                            : row -> MemoryUtil.getShort(data + (long) row * Short.BYTES) & 0xFFFFL;
            case Integer.SIZE ->
                    signed
                            ? row -> MemoryUtil.getInt(data + (long) row * Integer.BYTES)
                            : row ->
                                    MemoryUtil.getInt(data + (long) row * Integer.BYTES)
                                            & 0xFFFF_FFFFL;
            default -> row -> MemoryUtil.getLong(data + (long) row * Long.BYTES);
        };
    }
}
