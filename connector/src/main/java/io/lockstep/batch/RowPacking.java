package io.lockstep.batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.util.TransferPair;

/**
 * Row groups with the columns of a fixed width side by side: one column of whole rows in their
 * place, and one of bits for each of them that has nulls. A row chosen at random then costs a cache
 * miss or two, or one page of a file that is not in memory, instead of one a column.
 */
final class RowPacking {

    /** Marks the column of whole rows, and says how they are laid out. */
    private static final String ROWS = "lockstep.rows";

    /** Marks a column of bits, 1 where the named column has a value. */
    private static final String VALID = "lockstep.valid";

    /** As many rows at once as a core's own cache holds beside what it reads. */
    private static final int BLOCK_BYTES = 64 << 10;

    private RowPacking() {}

    /**
     * The column of whole rows, or null where the vectors are not packed.
     *
     * @throws IllegalArgumentException where they are packed, but not by this layout
     */
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

    /** The bits that say where a packed column has values, or null where it has everywhere. */
    static FieldVector valid(VectorSchemaRoot root, String column) {
        for (FieldVector vector : root.getFieldVectors()) {
            if (column.equals(vector.getField().getMetadata().get(VALID))) {
                return vector;
            }
        }
        return null;
    }

    /** Packs vectors, and closes them; the caller closes what it gets. */
    static VectorSchemaRoot pack(
            RowLayout layout, VectorSchemaRoot root, BufferAllocator allocator) {
        List<FieldVector> packed = new ArrayList<>();
        Set<FieldVector> gone = new HashSet<>();
        try (root) {
            packed.add(packRows(layout, root, allocator));
            for (Node column : layout.columns()) {
                FieldVector vector = root.getVector(column.path());
                gone.add(vector);
                if (vector.getNullCount() > 0) {
                    packed.add(bits(vector, allocator));
                }
            }
            for (FieldVector vector : root.getFieldVectors()) {
                if (!gone.contains(vector)) {
                    packed.add(transfer(vector, allocator));
                }
            }
            return new VectorSchemaRoot(
                    packed.stream().map(FieldVector::getField).toList(),
                    packed,
                    root.getRowCount());
        } catch (RuntimeException e) {
            packed.forEach(FieldVector::close);
            throw e;
        }
    }

    private static FieldVector packRows(
            RowLayout layout, VectorSchemaRoot root, BufferAllocator allocator) {
        int rows = root.getRowCount();
        int stride = layout.stride();
        FixedSizeBinaryVector packed =
                new FixedSizeBinaryVector(
                        marker(ROWS, layout.toString(), new ArrowType.FixedSizeBinary(stride)),
                        allocator);
        packed.allocateNew(rows);
        packed.getValidityBuffer().setOne(0, packed.getValidityBuffer().capacity());
        packed.setValueCount(rows);
        long to = packed.getDataBufferAddress();
        // The bytes after a row's last column are as defined as all others.
        MemoryUtil.setMemory(to, (long) rows * stride, (byte) 0);
        int block = Math.max(1, BLOCK_BYTES / stride);
        for (int first = 0; first < rows; first += block) {
            int count = Math.min(block, rows - first);
            for (int i = 0; i < layout.columns().size(); i++) {
                Node column = layout.columns().get(i);
                long from = root.getVector(column.path()).getDataBufferAddress();
                StridedCopy.copy(
                        from + (long) first * column.width(),
                        column.width(),
                        to + (long) first * stride + layout.offset(i),
                        stride,
                        column.width(),
                        count);
            }
        }
        return packed;
    }

    private static FieldVector bits(FieldVector vector, BufferAllocator allocator) {
        BitVector bits =
                new BitVector(marker(VALID, vector.getName(), new ArrowType.Bool()), allocator);
        bits.loadFieldBuffers(
                new ArrowFieldNode(vector.getValueCount(), 0),
                Arrays.asList(null, vector.getValidityBuffer()));
        return bits;
    }

    private static FieldVector transfer(FieldVector vector, BufferAllocator allocator) {
        TransferPair pair = vector.getTransferPair(vector.getField(), allocator);
        pair.transfer();
        return (FieldVector) pair.getTo();
    }

    private static Field marker(String key, String value, ArrowType type) {
        return new Field(key, new FieldType(false, type, null, Map.of(key, value)), null);
    }
}
