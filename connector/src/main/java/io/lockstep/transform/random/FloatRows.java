package io.lockstep.transform.random;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;

/** The values of a column of floats, or of fixed-size lists of floats, which can be changed. */
final class FloatRows {

    private final FieldVector column;
    private final FieldVector values;
    private final int width;
    private final boolean single;
    private final long data;

    private FloatRows(FieldVector column, FieldVector values, int width) {
        this.column = column;
        this.values = values;
        this.width = width;
        this.single = values instanceof Float4Vector;
        this.data = values.getDataBufferAddress();
    }

    /** Views a vector, which must stay open. */
    static FloatRows of(FieldVector vector) {
        return vector instanceof FixedSizeListVector lists
                ? new FloatRows(vector, lists.getDataVector(), lists.getListSize())
                : new FloatRows(vector, vector, 1);
    }

    int rows() {
        return values.getValueCount() / width;
    }

    /** The values of each row. */
    int width() {
        return width;
    }

    /** Whether the value is null, or in a list that is. */
    boolean isNull(int i) {
        return column.isNull(i / width) || values.isNull(i);
    }

    /** Returns a value by its index over all rows; undefined for a null. */
    double get(int i) {
        return single
                ? Float.intBitsToFloat(MemoryUtil.getInt(data + (long) i * Float.BYTES))
                : Double.longBitsToDouble(MemoryUtil.getLong(data + (long) i * Double.BYTES));
    }

    /** Rounds to the nearest value of the type. A null stays null. */
    void set(int i, double value) {
        if (single) {
            int bits = Float.floatToRawIntBits((float) value);
            MemoryUtil.putInt(data + (long) i * Float.BYTES, bits);
        } else {
            MemoryUtil.putLong(data + (long) i * Double.BYTES, Double.doubleToRawLongBits(value));
        }
    }
}
