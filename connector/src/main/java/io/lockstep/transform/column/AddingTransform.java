package io.lockstep.transform.column;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A transform that keeps all columns and adds others after them. */
abstract class AddingTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    private final String description;

    /**
     * @param version changes whenever the result for the same parameters changes
     */
    AddingTransform(TransformSpec spec, int version) {
        this.description = Identity.of(spec, version);
    }

    /** Makes a new column from the rows; the caller closes it. */
    @FunctionalInterface
    interface Maker {
        FieldVector make(VectorSchemaRoot rows, Field field, BufferAllocator allocator);
    }

    /** A new column. */
    record Added(Field field, Maker maker) {}

    /**
     * Returns the new columns.
     *
     * @throws TransformException if the transform cannot be applied to these columns
     */
    abstract List<Added> added(Schema schema);

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final Schema schema(Schema schema) {
        List<Field> fields = new ArrayList<>(schema.getFields());
        Set<String> names = new HashSet<>();
        fields.forEach(field -> names.add(field.getName()));
        for (Added each : added(schema)) {
            if (!names.add(each.field().getName())) {
                throw new TransformException(
                        "there is a column \"" + each.field().getName() + "\" already");
            }
            fields.add(each.field());
        }
        return new Schema(fields, schema.getCustomMetadata());
    }

    @Override
    public final VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        List<FieldVector> made = new ArrayList<>();
        try {
            for (Added each : added(rows.getSchema())) {
                made.add(each.maker().make(rows, each.field(), allocator));
            }
        } catch (Throwable t) {
            Vectors.close(made);
            throw t;
        }
        List<FieldVector> vectors = new ArrayList<>();
        rows.getFieldVectors().forEach(vector -> vectors.add(Vectors.move(vector, allocator)));
        vectors.addAll(made);
        return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
    }
}
