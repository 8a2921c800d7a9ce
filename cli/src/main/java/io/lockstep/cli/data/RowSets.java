package io.lockstep.cli.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Copies and compares rows. */
final class RowSets {

    private RowSets() {}

    /** Copies rows in that order; the caller closes the copy. */
    static VectorSchemaRoot copy(VectorSchemaRoot rows, int[] order, BufferAllocator allocator) {
        List<FieldVector> copies = new ArrayList<>();
        try {
            for (FieldVector from : rows.getFieldVectors()) {
                FieldVector to = from.getField().createVector(allocator);
                copies.add(to);
                to.setInitialCapacity(order.length);
                to.allocateNew();
                for (int i = 0; i < order.length; i++) {
                    to.copyFromSafe(order[i], i, from);
                }
                to.setValueCount(order.length);
            }
            return new VectorSchemaRoot(rows.getSchema(), copies, order.length);
        } catch (Throwable t) {
            copies.forEach(FieldVector::close);
            throw t;
        }
    }

    /**
     * Returns the first of the rows that differs, or -1.
     *
     * @param order by row of {@code others}, the row that it must equal
     */
    static int difference(VectorSchemaRoot rows, VectorSchemaRoot others, int[] order) {
        return IntStream.range(0, order.length)
                .filter(i -> !isEqual(rows, order[i], others, i))
                .map(i -> order[i])
                .min()
                .orElse(-1);
    }

    private static boolean isEqual(VectorSchemaRoot rows, int row, VectorSchemaRoot others, int i) {
        for (int column = 0; column < rows.getFieldVectors().size(); column++) {
            Object value = rows.getVector(column).getObject(row);
            if (!Objects.deepEquals(value, others.getVector(column).getObject(i))) {
                return false;
            }
        }
        return true;
    }
}
