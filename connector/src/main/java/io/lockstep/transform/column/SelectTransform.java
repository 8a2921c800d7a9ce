package io.lockstep.transform.column;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Keeps some columns, or all others. */
final class SelectTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    static final Kind SELECT =
            Kind.of(
                    "select",
                    "Keeps only these columns, in this order.",
                    List.of(ColumnKinds.COLUMNS),
                    (spec, parameters) -> new SelectTransform(spec, parameters, true));

    static final Kind DROP =
            Kind.of(
                    "drop",
                    "Removes these columns.",
                    List.of(ColumnKinds.COLUMNS),
                    (spec, parameters) -> new SelectTransform(spec, parameters, false));

    private final String description;
    private final Columns columns;
    private final boolean keep;

    private SelectTransform(TransformSpec spec, Parameters parameters, boolean keep) {
        this.description = Identity.of(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
        this.keep = keep;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Schema schema(Schema schema) {
        List<String> chosen = columns.in(schema);
        List<Field> fields =
                keep
                        ? chosen.stream().map(schema::findField).toList()
                        : schema.getFields().stream()
                                .filter(field -> !chosen.contains(field.getName()))
                                .toList();
        if (fields.isEmpty()) {
            throw new TransformException("no column is left");
        }
        return new Schema(fields, schema.getCustomMetadata());
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        List<FieldVector> vectors = new ArrayList<>();
        for (Field field : schema.getFields()) {
            vectors.add(Vectors.move(rows.getVector(field.getName()), allocator));
        }
        return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
    }
}
