package io.lockstep.batch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.util.TransferPair;

/**
 * Packs the fixed-width columns of a row group into a single column of whole rows. Reading a random
 * row then costs a few cache misses, or one page of a file that is not in memory, instead of one
 * per column.
 */
final class RowPacking {

    /** Marks the column of packed rows; the value describes their layout. */
    private static final String ROWS = "lockstep.rows";

    /** Lists the layout's columns that have nulls, by index, each between commas. */
    private static final String NULLS = "lockstep.nulls";

    /**
     * The size of a block of rows, which fits in a core's private cache beside the data being read.
     */
    private static final int BLOCK_BYTES = 64 << 10;

    private RowPacking() {}

    /**
     * Returns the column of packed rows, or null if the vectors are not packed.
     *
     * @throws IllegalArgumentException if they are packed with a different layout
     */
    @Nullable
    static FieldVector rows(VectorSchemaRoot root, RowLayout layout) {
        for (FieldVector vector : root.getFieldVectors()) {
            String packed = vector.getField().getMetadata().get(ROWS);
            if (packed != null && !packed.equals(layout.toString())) {
                throw new IllegalArgumentException(
                        "Rows of " + packed + " are read as rows of " + layout);
            }
            if (packed != null) {
                return vector;
            }
        }
        return null;
    }

    /** Returns whether the i-th column of the layout has nulls in any of the rows. */
    static boolean hasNulls(FieldVector rows, int i) {
        return rows.getField().getMetadata().get(NULLS).contains("," + i + ",");
    }

    /** Packs vectors and closes them. The caller closes the result. */
    static VectorSchemaRoot pack(
            RowLayout layout, VectorSchemaRoot root, BufferAllocator allocator) {
        List<FieldVector> packed = new ArrayList<>();
        try (root) {
            List<FieldVector> columns =
                    layout.columns().stream().map(column -> root.getVector(column.path())).toList();
            packed.add(rows(layout, columns, root.getRowCount(), allocator));
            Set<FieldVector> gone = new HashSet<>(columns);
            for (FieldVector vector : root.getFieldVectors()) {
                if (!gone.contains(vector)) {
                    packed.add(transfer(vector, allocator));
                }
            }
            List<Field> fields = packed.stream().map(FieldVector::getField).toList();
            return new VectorSchemaRoot(fields, packed, root.getRowCount());
        } catch (Throwable t) {
            packed.forEach(FieldVector::close);
            throw t;
        }
    }

    private static FieldVector rows(
            RowLayout layout, List<FieldVector> columns, int count, BufferAllocator allocator) {
        boolean[] nulls = new boolean[columns.size()];
        StringBuilder named = new StringBuilder(",");
        for (int i = 0; i < nulls.length; i++) {
            nulls[i] = columns.get(i).getNullCount() > 0;
            named.append(nulls[i] ? i + "," : "");
        }
        FieldType type =
                new FieldType(
                        false,
                        new ArrowType.FixedSizeBinary(layout.stride()),
                        null,
                        Map.of(ROWS, layout.toString(), NULLS, named.toString()));
        FixedSizeBinaryVector rows =
                new FixedSizeBinaryVector(new Field(ROWS, type, null), allocator);
        rows.allocateNew(count);
        rows.getValidityBuffer().setOne(0, rows.getValidityBuffer().capacity());
        rows.setValueCount(count);
        fill(layout, columns, nulls, rows.getDataBufferAddress(), count);
        return rows;
    }

    private static void fill(
            RowLayout layout, List<FieldVector> columns, boolean[] nulls, long to, int rows) {
        int stride = layout.stride();
        long[] data = columns.stream().mapToLong(FieldVector::getDataBufferAddress).toArray();
        long[] validity =
                columns.stream().mapToLong(FieldVector::getValidityBufferAddress).toArray();
        // Set the bits of all values, and the padding between the last of them and the next row.
        MemoryUtil.setMemory(to, (long) rows * stride, (byte) -1);
        int block = Math.max(1, BLOCK_BYTES / stride);
        for (int first = 0; first < rows; first += block) {
            int count = Math.min(block, rows - first);
            long row = to + (long) first * stride;
            for (int i = 0; i < data.length; i++) {
                int width = layout.columns().get(i).width();
                long from = data[i] + (long) first * width;
                StridedCopy.copy(from, width, row + layout.offset(i), stride, width, count);
                if (nulls[i]) {
                    long bits = row + layout.bitOffset(i);
                    StridedBits.clearWhereZero(
                            validity[i], first, bits, stride, layout.bit(i), count);
                }
            }
        }
    }

    private static FieldVector transfer(FieldVector vector, BufferAllocator allocator) {
        TransferPair pair = vector.getTransferPair(vector.getField(), allocator);
        pair.transfer();
        return (FieldVector) pair.getTo();
    }
}
