package io.lockstep.batch;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Vectors that batches are gathered from, with all that a gather would else look up again for every
 * step: addresses, and which columns have nulls. Made once for each pinned row group.
 *
 * <p>It holds addresses only, so it is valid as long as the vectors are; whoever gathers from it
 * later than that ends the process. Immutable and thread-safe.
 */
public final class RowSource {

    /** By node, the address of its validity bitmap, or 0 where it has no nulls. */
    final long[] validity;

    /** By node, the address of its offsets, where it has such. */
    final long[] offsets;

    /** By node, the address of its values or bytes, where it has such. */
    final long[] data;

    private final BatchShape shape;
    private final int rows;

    private RowSource(BatchShape shape, int rows) {
        this.shape = shape;
        this.rows = rows;
        int nodes = shape.nodes().size();
        this.validity = new long[nodes];
        this.offsets = new long[nodes];
        this.data = new long[nodes];
    }

    /**
     * @param shape of the wire schema
     * @param columns how many of its columns come from the data
     */
    static RowSource of(BatchShape shape, int columns, VectorSchemaRoot root) {
        RowSource source = new RowSource(shape, root.getRowCount());
        int node = 0;
        for (Field field : shape.schema().getFields().subList(0, columns)) {
            FieldVector vector = root.getVector(field.getName());
            if (vector == null) {
                throw new IllegalArgumentException(
                        "Column \"" + field.getName() + "\" is not in " + root.getSchema());
            }
            node = source.add(node, field, vector);
        }
        return source;
    }

    /** The number of rows that can be gathered. */
    public int rows() {
        return rows;
    }

    BatchShape shape() {
        return shape;
    }

    private int add(int index, Field field, FieldVector vector) {
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
            validity[index] = vector.getValidityBufferAddress();
        }
        if (node.hasOffsets()) {
            offsets[index] = vector.getOffsetBufferAddress();
        }
        if (!node.hasElements()) {
            data[index] = vector.getDataBufferAddress();
            return index + 1;
        }
        List<FieldVector> elements = vector.getChildrenFromFields();
        return add(index + 1, field.getChildren().get(0), elements.get(0));
    }
}
