package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Applies a formula in double precision to each value. A float32 column stays float32, any other
 * becomes float64. Nulls stay null.
 */
abstract class FloatTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    FloatTransform(TransformSpec spec, int version, List<String> columns) {
        super(spec, version, columns);
    }

    /** Returns the formula for a column. */
    abstract DoubleUnaryOperator formula(String column);

    @Override
    protected final Field replacement(Field column) {
        DoubleValues.check(column);
        FloatingPointPrecision precision =
                isSingle(column) ? FloatingPointPrecision.SINGLE : FloatingPointPrecision.DOUBLE;
        FieldType type =
                new FieldType(column.isNullable(), new ArrowType.FloatingPoint(precision), null);
        return new Field(column.getName(), type, null);
    }

    private static boolean isSingle(Field column) {
        return column.getType() instanceof ArrowType.FloatingPoint type
                && type.getPrecision() == FloatingPointPrecision.SINGLE;
    }

    @Override
    protected final FieldVector replace(
            FieldVector values, Field replacement, BufferAllocator allocator) {
        int rows = values.getValueCount();
        FieldVector made = Vectors.fixed(replacement, rows, allocator);
        Vectors.copyNulls(values, made);
        DoubleUnaryOperator formula = formula(replacement.getName());
        DoubleValues from = DoubleValues.of(values);
        long to = made.getDataBufferAddress();
        if (isSingle(replacement)) {
            for (int row = 0; row < rows; row++) {
                float value = (float) formula.applyAsDouble(from.get(row));
                MemoryUtil.putInt(to + (long) row * Float.BYTES, Float.floatToRawIntBits(value));
            }
        } else {
            for (int row = 0; row < rows; row++) {
                double value = formula.applyAsDouble(from.get(row));
                MemoryUtil.putLong(
                        to + (long) row * Double.BYTES, Double.doubleToRawLongBits(value));
            }
        }
        return made;
    }
}
