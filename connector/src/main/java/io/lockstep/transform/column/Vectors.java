package io.lockstep.transform.column;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.TransferPair;

/** Creates vectors of the results of transforms. */
public final class Vectors {

    private Vectors() {}

    /** Moves a column to another vector; the caller closes both. */
    public static FieldVector move(FieldVector from, BufferAllocator allocator) {
        return move(from, from.getField(), allocator);
    }

    /** Moves a column to a vector of another name; the caller closes both. */
    public static FieldVector move(FieldVector from, Field to, BufferAllocator allocator) {
        TransferPair pair = from.getTransferPair(to, allocator);
        pair.transfer();
        return (FieldVector) pair.getTo();
    }

    /**
     * Creates a vector of fixed width with room for so many values, all of which are zero and
     * present. The caller closes it.
     */
    public static FieldVector fixed(Field field, int rows, BufferAllocator allocator) {
        BaseFixedWidthVector vector = (BaseFixedWidthVector) field.createVector(allocator);
        try {
            present(vector, rows);
            return vector;
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    /** Allocates so many values, all of which are zero and present. */
    static void present(BaseFixedWidthVector vector, int rows) {
        vector.allocateNew(rows);
        vector.zeroVector();
        ArrowBuf validity = vector.getValidityBuffer();
        validity.setOne(0, validity.capacity());
        vector.setValueCount(rows);
    }

    /** Marks the same values as null that are null in the other vector. */
    public static void copyNulls(FieldVector from, FieldVector to) {
        if (from.getNullCount() > 0) {
            long bytes = (from.getValueCount() + Byte.SIZE - 1) / Byte.SIZE;
            to.getValidityBuffer().setBytes(0, from.getValidityBuffer(), 0, bytes);
        }
    }

    /** Copies a column of fixed width, or of fixed-size lists of it; the caller closes the copy. */
    public static FieldVector copy(FieldVector from, BufferAllocator allocator) {
        if (from instanceof FixedSizeListVector lists) {
            FixedSizeListVector made =
                    FixedLists.create(from.getField(), from.getValueCount(), allocator);
            copy(lists.getDataVector(), made.getDataVector());
            copyNulls(from, made);
            return made;
        }
        FieldVector made = fixed(from.getField(), from.getValueCount(), allocator);
        copy(from, made);
        return made;
    }

    private static void copy(FieldVector from, FieldVector to) {
        long bytes = (long) from.getValueCount() * ((BaseFixedWidthVector) from).getTypeWidth();
        MemoryUtil.copyMemory(from.getDataBufferAddress(), to.getDataBufferAddress(), bytes);
        copyNulls(from, to);
    }

    public static void close(List<FieldVector> vectors) {
        vectors.forEach(FieldVector::close);
    }
}
