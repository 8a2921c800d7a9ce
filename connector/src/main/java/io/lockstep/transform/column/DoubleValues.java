package io.lockstep.transform.column;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The values of a numeric or boolean column as doubles. Integers beyond 2^53 are rounded; true is 1
 * and false is 0. The value of a null is undefined.
 */
@FunctionalInterface
public interface DoubleValues {

    double get(int row);

    /** Returns whether a column has such values. */
    static boolean accepts(Field column) {
        return switch (column.getType().getTypeID()) {
            case Int, FloatingPoint, Bool -> true;
            default -> false;
        };
    }

    /**
     * Checks that a column has such values.
     *
     * @throws TransformException that names the column and its type
     */
    static void check(Field column) {
        if (!accepts(column)) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", and this transform needs numbers");
        }
    }

    /** Reads a vector, which must stay open and unchanged. */
    static DoubleValues of(FieldVector vector) {
        long data = vector.getDataBufferAddress();
        ArrowType type = vector.getField().getType();
        if (type instanceof ArrowType.Bool) {
            return row -> MemoryUtil.getByte(data + row / Byte.SIZE) >> (row % Byte.SIZE) & 1;
        }
        if (type instanceof ArrowType.FloatingPoint floating) {
            return switch (floating.getPrecision()) {
                case HALF ->
                        row ->
                                Float16.toFloat(
                                        MemoryUtil.getShort(data + (long) row * Short.BYTES));
                case SINGLE ->
                        row ->
                                Float.intBitsToFloat(
                                        MemoryUtil.getInt(data + (long) row * Float.BYTES));
                case DOUBLE ->
                        row ->
                                Double.longBitsToDouble(
                                        MemoryUtil.getLong(data + (long) row * Double.BYTES));
            };
        }
        LongValues integers = LongValues.of(vector);
        if (LongValues.isUnsigned64(vector.getField())) {
            return row -> LongValues.unsignedToDouble(integers.get(row));
        }
        return integers::get;
    }
}
