package io.lockstep.transform.column;

import io.lockstep.transform.TransformException;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Copies the values of one column to their places among those of others. */
final class ColumnCopy {

    private final PackedColumn column;
    private final NumberType type;
    private final NumberWriter writer;
    private final boolean integers;

    ColumnCopy(PackedColumn column, NumberType type) {
        this.column = column;
        this.type = type;
        this.writer = NumberWriter.of(type);
        this.integers = column.elements().getField().getType() instanceof ArrowType.Int;
    }

    int width() {
        return column.width();
    }

    /**
     * Copies rows.
     *
     * @param to the address of the first value of the first row
     * @param stride the bytes from a row to the next
     * @throws TransformException if a value does not fit the type
     */
    void copy(int first, int end, long to, long stride) {
        FieldVector elements = column.elements();
        boolean same = elements.getField().getType().equals(type.arrow());
        if (same && !column.hasNulls()) {
            move(elements.getDataBufferAddress(), first, end, to, stride);
        } else if (integers && !LongValues.isUnsigned64(elements.getField())) {
            longs(LongValues.of(elements), first, end, to, stride);
        } else {
            doubles(DoubleValues.of(elements), first, end, to, stride);
        }
    }

    private void move(long from, int first, int end, long to, long stride) {
        int bytes = width() * writer.width();
        long at = from + (long) first * bytes;
        long target = to;
        if (bytes == Integer.BYTES) {
            for (int row = first; row < end; row++, at += Integer.BYTES, target += stride) {
                MemoryUtil.putInt(target, MemoryUtil.getInt(at));
            }
            return;
        }
        for (int row = first; row < end; row++, at += bytes, target += stride) {
            MemoryUtil.copyMemory(at, target, bytes);
        }
    }

    private void longs(LongValues values, int first, int end, long to, long stride) {
        for (int row = first; row < end; row++) {
            for (int i = 0; i < width(); i++) {
                long value = values.get(row * width() + i);
                if (isPresent(row, i)) {
                    check(type.holds(value), row, value);
                    writer.put(address(to, stride, row - first, i), value);
                }
            }
        }
    }

    private void doubles(DoubleValues values, int first, int end, long to, long stride) {
        for (int row = first; row < end; row++) {
            for (int i = 0; i < width(); i++) {
                double value = values.get(row * width() + i);
                if (isPresent(row, i)) {
                    check(type.holds(value), row, value);
                    writer.put(address(to, stride, row - first, i), value);
                }
            }
        }
    }

    private boolean isPresent(int row, int i) {
        return !column.hasNulls() || !column.isNull(row, i);
    }

    private long address(long to, long stride, int row, int i) {
        return to + row * stride + (long) i * writer.width();
    }

    private void check(boolean fits, int row, Object value) {
        if (!fits) {
            throw new TransformException(
                    String.format(
                            "the column \"%s\" has %s in row %d of a row group, which %s cannot hold;"
                                    + " set another 'type'",
                            column.name(), value, row, type));
        }
    }
}
