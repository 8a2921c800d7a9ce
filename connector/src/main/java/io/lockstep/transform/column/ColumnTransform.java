package io.lockstep.transform.column;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A transform that replaces each of its columns by another of the same name. */
public abstract class ColumnTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final Columns columns;

    /**
     * @param version changes whenever the result for the same parameters changes
     */
    ColumnTransform(TransformSpec spec, int version, List<String> columns) {
        this(Identity.of(spec, version), new Columns(columns));
    }

    protected ColumnTransform(String description, Columns columns) {
        this.description = description;
        this.columns = columns;
    }

    /**
     * Returns the column that replaces another.
     *
     * @throws TransformException if the transform does not accept its type
     */
    protected abstract Field replacement(Field column);

    /**
     * Transforms the values of a column.
     *
     * @param values which the caller closes
     * @return which the caller closes
     */
    protected abstract FieldVector replace(
            FieldVector values, Field replacement, BufferAllocator allocator);

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final Schema schema(Schema schema) {
        Set<String> chosen = new HashSet<>(columns.in(schema));
        List<Field> fields =
                schema.getFields().stream()
                        .map(field -> chosen.contains(field.getName()) ? replacement(field) : field)
                        .toList();
        return new Schema(fields, schema.getCustomMetadata());
    }

    @Override
    public final Optional<Set<String>> touched(Schema schema) {
        return Optional.of(Set.copyOf(columns.in(schema)));
    }

    @Override
    public final VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        Set<String> chosen = new HashSet<>(columns.in(rows.getSchema()));
        List<FieldVector> vectors = new ArrayList<>();
        try {
            for (Field field : schema.getFields()) {
                FieldVector values = rows.getVector(field.getName());
                vectors.add(
                        chosen.contains(field.getName())
                                ? replace(values, field, allocator)
                                : Vectors.move(values, allocator));
            }
            return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
        } catch (Throwable t) {
            Vectors.close(vectors);
            throw t;
        }
    }
}
