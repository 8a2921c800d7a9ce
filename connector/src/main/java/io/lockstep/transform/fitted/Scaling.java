package io.lockstep.transform.fitted;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.column.DoubleValues;
import io.lockstep.transform.column.Vectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Subtracts an offset and divides by a scale, in float64. A float32 column stays float32, any other
 * becomes float64. Nulls stay null.
 */
record Scaling<V extends StatisticValue>(Of<V> of, Offset<V> offset) implements FittedFormula<V> {

    /** Chooses the statistic of a column. */
    @FunctionalInterface
    interface Of<V> extends java.io.Serializable {
        Statistic statistic(String column);
    }

    /** The offset and the scale of a column. */
    @FunctionalInterface
    interface Offset<V> extends java.io.Serializable {
        Affine of(V value);
    }

    /** Stands for {@code (x - offset) / scale}. */
    record Affine(double offset, double scale) {

        /** A scale of 0, that of equal values, becomes 1. */
        static Affine of(double offset, double scale) {
            return new Affine(offset, scale == 0 ? 1 : scale);
        }
    }

    @Override
    public Statistic statistic(Field column) {
        DoubleValues.check(column);
        return of.statistic(column.getName());
    }

    @Override
    public Field replacement(Field column) {
        DoubleValues.check(column);
        boolean single =
                column.getType() instanceof ArrowType.FloatingPoint type
                        && type.getPrecision() == FloatingPointPrecision.SINGLE;
        ArrowType type =
                new ArrowType.FloatingPoint(
                        single ? FloatingPointPrecision.SINGLE : FloatingPointPrecision.DOUBLE);
        return new Field(column.getName(), new FieldType(column.isNullable(), type, null), null);
    }

    @Override
    public FieldVector replace(
            FieldVector values, Field replacement, V fitted, BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(replacement, values.getValueCount(), allocator);
        Vectors.copyNulls(values, made);
        Affine affine = offset.of(fitted);
        long from = values.getDataBufferAddress();
        long to = made.getDataBufferAddress();
        int rows = values.getValueCount();
        if (values instanceof Float4Vector) {
            floats(from, to, rows, affine.offset(), affine.scale());
        } else if (values instanceof Float8Vector) {
            doubles(from, to, rows, affine.offset(), affine.scale());
        } else {
            DoubleValues numbers = DoubleValues.of(values);
            for (int row = 0; row < rows; row++) {
                double value = (numbers.get(row) - affine.offset()) / affine.scale();
                MemoryUtil.putLong(to + (long) row * Long.BYTES, Double.doubleToRawLongBits(value));
            }
        }
        return made;
    }

    // Loops of their own for the usual types: a call for each value would take most of the time.

    private static void floats(long from, long to, int rows, double offset, double scale) {
        for (long at = 0; at < (long) rows * Float.BYTES; at += Float.BYTES) {
            float value = Float.intBitsToFloat(MemoryUtil.getInt(from + at));
            float scaled = (float) ((value - offset) / scale);
            MemoryUtil.putInt(to + at, Float.floatToRawIntBits(scaled));
        }
    }

    private static void doubles(long from, long to, int rows, double offset, double scale) {
        for (long at = 0; at < (long) rows * Double.BYTES; at += Double.BYTES) {
            double value = Double.longBitsToDouble(MemoryUtil.getLong(from + at));
            MemoryUtil.putLong(to + at, Double.doubleToRawLongBits((value - offset) / scale));
        }
    }
}
