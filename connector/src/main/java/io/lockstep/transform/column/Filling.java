package io.lockstep.transform.column;

import io.lockstep.Nearest;
import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Replaces the nulls of a column by a constant. */
public final class Filling {

    private Filling() {}

    /** What stands for a fitted value. */
    private static final List<String> FITTED = List.of("median", "mean", "most_frequent");

    /**
     * Returns the column without nulls.
     *
     * @throws TransformException if its type cannot hold the constant
     */
    public static Field replacement(Field column, Constant value) {
        boolean fits =
                switch (column.getType().getTypeID()) {
                    case Bool -> value.isBoolean();
                    case Int -> value.isNumber() && value.fits(type(column));
                    case FloatingPoint -> value.isNumber();
                    case Utf8 -> value.isText();
                    default -> false;
                };
        if (!fits) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", which cannot hold "
                            + value
                            + "."
                            + Nearest.suggestion(value.text(), FITTED));
        }
        return new Field(column.getName(), FieldType.notNullable(column.getType()), null);
    }

    /**
     * Fills the nulls of a column.
     *
     * @param values which the caller closes; buffers may be moved from it
     * @param replacement the column without nulls
     * @return which the caller closes
     */
    public static FieldVector replace(
            FieldVector values, Field replacement, Constant value, BufferAllocator allocator) {
        if (values.getNullCount() == 0) {
            return Vectors.move(values, replacement, allocator);
        }
        if (replacement.getType() instanceof ArrowType.Utf8) {
            return texts((VarCharVector) values, replacement, value, allocator);
        }
        FieldVector made = Vectors.fixed(replacement, values.getValueCount(), allocator);
        ArrowBuf from = values.getDataBuffer();
        if (made instanceof BitVector bits) {
            fill(values, bits, value);
            return made;
        }
        NumberType type = type(replacement);
        NumberWriter writer = NumberWriter.of(type);
        int width = writer.width();
        long to = made.getDataBufferAddress();
        MemoryUtil.copyMemory(from.memoryAddress(), to, (long) values.getValueCount() * width);
        for (int row = 0; row < values.getValueCount(); row++) {
            if (values.isNull(row)) {
                value.write(writer, type, to + (long) row * width);
            }
        }
        return made;
    }

    private static void fill(FieldVector values, BitVector made, Constant value) {
        BitVector from = (BitVector) values;
        int constant = value.text().equals("true") ? 1 : 0;
        for (int row = 0; row < from.getValueCount(); row++) {
            made.set(row, from.isNull(row) ? constant : from.get(row));
        }
    }

    private static FieldVector texts(
            VarCharVector from, Field replacement, Constant value, BufferAllocator allocator) {
        byte[] constant = value.text().getBytes(StandardCharsets.UTF_8);
        VarCharVector made = (VarCharVector) replacement.createVector(allocator);
        try {
            int rows = from.getValueCount();
            long bytes = from.getOffsetBuffer().getInt((long) rows * Integer.BYTES);
            long added = (long) from.getNullCount() * constant.length;
            made.allocateNew(bytes + added, rows);
            for (int row = 0; row < rows; row++) {
                made.setSafe(row, from.isNull(row) ? constant : from.get(row));
            }
            made.setValueCount(rows);
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    private static NumberType type(Field column) {
        return NumberType.of(column.getType());
    }
}
