package io.lockstep.expression;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;

/** Writes the values of chunks into a vector, in order. */
@FunctionalInterface
interface VectorWriter {

    void write(Chunk chunk, Values values);

    /** Allocates a vector and returns its writer. */
    static VectorWriter of(FieldVector vector, int rows) {
        if (vector instanceof VarCharVector strings) {
            strings.allocateNew(rows);
            return (chunk, values) -> strings(strings, chunk, values);
        }
        BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
        fixed.allocateNew(rows);
        fixed.zeroVector();
        return (chunk, values) -> {
            for (int i = 0; i < chunk.size(); i++) {
                if (!values.isNull(i)) {
                    fixed.setIndexDefined(chunk.row(i));
                }
            }
            fixed(fixed, chunk, values);
        };
    }

    private static void fixed(BaseFixedWidthVector vector, Chunk chunk, Values values) {
        long data = vector.getDataBufferAddress();
        for (int i = 0; i < chunk.size(); i++) {
            if (values.isNull(i)) {
                continue;
            }
            int row = chunk.row(i);
            if (vector instanceof BitVector bits) {
                bits.set(row, values.booleans()[i] ? 1 : 0);
            } else if (vector instanceof Float8Vector) {
                long number = Double.doubleToRawLongBits(values.doubles()[i]);
                MemoryUtil.putLong(data + (long) row * Double.BYTES, number);
            } else if (vector instanceof Float4Vector) {
                int number = Float.floatToRawIntBits((float) values.doubles()[i]);
                MemoryUtil.putInt(data + (long) row * Float.BYTES, number);
            } else if (vector instanceof DateDayVector) {
                MemoryUtil.putInt(data + (long) row * Integer.BYTES, (int) values.longs()[i]);
            } else {
                MemoryUtil.putLong(data + (long) row * Long.BYTES, values.longs()[i]);
            }
        }
    }

    private static void strings(VarCharVector vector, Chunk chunk, Values values) {
        byte[] bytes = new byte[0];
        for (int i = 0; i < chunk.size(); i++) {
            if (!values.isNull(i)) {
                int length = values.lengths()[i];
                bytes = bytes.length < length ? new byte[length] : bytes;
                MemoryUtil.copyFromMemory(values.longs()[i], bytes, 0, length);
                vector.setSafe(chunk.row(i), bytes, 0, length);
            }
        }
    }
}
