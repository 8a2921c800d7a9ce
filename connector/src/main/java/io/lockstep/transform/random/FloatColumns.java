package io.lockstep.transform.random;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.Columns;
import io.lockstep.transform.column.Vectors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of float32, float64, or fixed-size lists of them, that a random transform changes.
 *
 * @param columns as users write them
 */
record FloatColumns(Columns columns) implements Serializable {

    /**
     * Checks the columns; a transform leaves their types as they are.
     *
     * @throws TransformException that names a column without floats
     */
    Schema check(Schema schema) {
        for (String name : columns.in(schema)) {
            Field column = schema.findField(name);
            if (!hasFloats(column)) {
                throw new TransformException(
                        "the column \""
                                + name
                                + "\" is of type "
                                + TypeNames.of(column)
                                + ", and this transform needs float32 or float64; use cast or pack"
                                + " before");
            }
        }
        return schema;
    }

    private static boolean hasFloats(Field column) {
        if (column.getType() instanceof ArrowType.FixedSizeList) {
            return hasFloats(column.getChildren().get(0));
        }
        return column.getType() instanceof ArrowType.FloatingPoint type
                && type.getPrecision() != FloatingPointPrecision.HALF;
    }

    /** Changes the values of one column in place. */
    @FunctionalInterface
    interface Change {
        void apply(FloatRows values);
    }

    /**
     * Copies the columns and changes them in the order of the schema.
     *
     * @return which the caller closes
     */
    VectorSchemaRoot change(VectorSchemaRoot rows, BufferAllocator allocator, Change change) {
        Set<String> chosen = new HashSet<>(columns.in(rows.getSchema()));
        List<FieldVector> vectors = new ArrayList<>();
        try {
            for (FieldVector vector : rows.getFieldVectors()) {
                boolean changed = chosen.contains(vector.getName());
                FieldVector made =
                        changed ? Vectors.copy(vector, allocator) : Vectors.move(vector, allocator);
                vectors.add(made);
                if (changed) {
                    change.apply(FloatRows.of(made));
                }
            }
            return new VectorSchemaRoot(rows.getSchema(), vectors, rows.getRowCount());
        } catch (Throwable t) {
            Vectors.close(vectors);
            throw t;
        }
    }
}
