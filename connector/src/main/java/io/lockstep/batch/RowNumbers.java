package io.lockstep.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * The numbers of kept rows in their row group, as a column that is stored with the others and is
 * not part of batches. It is found by its metadata, since a column of the data may have any name.
 */
public final class RowNumbers {

    private static final String NAME = "_row";

    private static final String KEY = "lockstep.row-numbers";

    private RowNumbers() {}

    /**
     * Adds the column. Call it after {@link Gather#pack}.
     *
     * @param root closed if this fails
     * @param rows the number of each row in its row group
     * @return with the vectors of the root, which the caller closes
     */
    public static VectorSchemaRoot add(
            VectorSchemaRoot root, int[] rows, BufferAllocator allocator) {
        FieldType type =
                new FieldType(false, new ArrowType.Int(Integer.SIZE, true), null, Map.of(KEY, "1"));
        IntVector numbers = new IntVector(new Field(NAME, type, null), allocator);
        try {
            numbers.allocateNew(rows.length);
            for (int i = 0; i < rows.length; i++) {
                numbers.set(i, rows[i]);
            }
            numbers.setValueCount(rows.length);
        } catch (Throwable t) {
            numbers.close();
            root.close();
            throw t;
        }
        List<FieldVector> vectors = new ArrayList<>(root.getFieldVectors());
        vectors.add(numbers);
        List<Field> fields = vectors.stream().map(FieldVector::getField).toList();
        return new VectorSchemaRoot(fields, vectors, rows.length);
    }

    /** Returns the address of the numbers, or 0 if all rows are kept. */
    static long address(VectorSchemaRoot root) {
        for (FieldVector vector : root.getFieldVectors()) {
            if (vector.getField().getMetadata().containsKey(KEY)) {
                return vector.getDataBufferAddress();
            }
        }
        return 0;
    }
}
