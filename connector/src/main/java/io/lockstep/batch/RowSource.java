package io.lockstep.batch;

import java.util.Objects;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Vectors to gather batches from, with everything that a gather would otherwise look up for each
 * step: addresses and which columns have nulls. Created once per pinned row group.
 *
 * <p>Holds addresses only, so it must not outlive the vectors: gathering from it afterwards crashes
 * the process. Immutable and thread-safe.
 */
public final class RowSource {

    /** By node, whether it has nulls. */
    final boolean[] nulls;

    /** By node, the address of its validity bitmap, or 0 if it has no nulls or is packed. */
    final long[] validity;

    /** By node, the address of its offsets, if it has any. */
    final long[] offsets;

    /** By node, its number of elements or bytes, if it has offsets. */
    final long[] limit;

    /** By node, the address of its values or bytes, if it has any and they are not packed. */
    final long[] data;

    /** The address of the packed rows, or 0 if nothing is packed. */
    final long packed;

    private final BatchShape shape;
    private final int rows;

    /** The address of the rows' numbers in their row group, or 0 if it has exactly these rows. */
    private final long numbers;

    private RowSource(BatchShape shape, int rows, long packed, long numbers) {
        this.shape = shape;
        this.rows = rows;
        this.numbers = numbers;
        this.packed = packed;
        int nodes = shape.nodes().size();
        this.nulls = new boolean[nodes];
        this.validity = new long[nodes];
        this.offsets = new long[nodes];
        this.limit = new long[nodes];
        this.data = new long[nodes];
    }

    /**
     * @param columns the number of columns of the shape that come from the data
     * @param root the data's columns, packed or not
     */
    static RowSource of(BatchShape shape, int columns, RowLayout packing, VectorSchemaRoot root) {
        FieldVector packed = RowPacking.rows(root, packing);
        RowSource source =
                new RowSource(
                        shape,
                        root.getRowCount(),
                        packed == null ? 0 : packed.getDataBufferAddress(),
                        RowNumbers.address(root));
        for (int i = 0; packed != null && i < packing.columns().size(); i++) {
            source.nulls[packing.columns().get(i).index()] = RowPacking.hasNulls(packed, i);
        }
        for (Node column : shape.columns().subList(0, columns)) {
            if (packed == null || !packing.contains(column)) {
                Field field = shape.schema().findField(column.path());
                FieldVector vector = root.getVector(column.path());
                if (vector == null) {
                    throw new IllegalArgumentException(
                            "Column \"" + column.path() + "\" is not in " + root.getSchema());
                }
                source.add(column.index(), field, vector);
            }
        }
        return source;
    }

    /** Returns the number of rows that can be gathered. */
    public int rows() {
        return rows;
    }

    /** Returns a row's number among all rows of its row group, with those that are left out. */
    public int number(int row) {
        return numbers == 0
                ? row
                : MemoryUtil.getInt(numbers + (long) Objects.checkIndex(row, rows) * Integer.BYTES);
    }

    BatchShape shape() {
        return shape;
    }

    private void add(int index, Field field, FieldVector vector) {
        Node node = shape.nodes().get(index);
        if (!vector.getField().getType().equals(field.getType())) {
            throw new IllegalArgumentException(
                    "Column \""
                            + node.path()
                            + "\" has type "
                            + vector.getField().getType()
                            + " in a source, and "
                            + field.getType()
                            + " in the batch");
        }
        if (vector.getNullCount() > 0) {
            nulls[index] = true;
            validity[index] = vector.getValidityBufferAddress();
        }
        if (node.hasOffsets()) {
            offsets[index] = vector.getOffsetBufferAddress();
        }
        if (node.hasElements()) {
            FieldVector elements = vector.getChildrenFromFields().get(0);
            limit[index] = elements.getValueCount();
            add(index + 1, field.getChildren().get(0), elements);
        } else {
            data[index] = vector.getDataBufferAddress();
            limit[index] = vector.getDataBuffer().capacity();
        }
    }
}
