package io.lockstep.transform.column;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds columns that tell where others are null. */
final class MissingIndicatorTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<String> SUFFIX =
            Parameter.optional(
                    "suffix",
                    ParameterType.TEXT,
                    "_missing",
                    "What is appended to the name of the column.");

    static final Kind KIND =
            Kind.of(
                    "missing_indicator",
                    "Adds a uint8 column for each column: 1 where it is null, else 0. Place it before"
                            + " `fill`.",
                    List.of(ColumnKinds.COLUMNS, SUFFIX),
                    MissingIndicatorTransform::new);

    private final String description;
    private final Columns columns;
    private final String suffix;

    private MissingIndicatorTransform(TransformSpec spec, Parameters parameters) {
        this.description = Identity.of(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
        this.suffix = parameters.get(SUFFIX);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Schema schema(Schema schema) {
        List<Field> fields = new ArrayList<>(schema.getFields());
        for (String column : columns.in(schema)) {
            String name = column + suffix;
            if (fields.stream().anyMatch(field -> field.getName().equals(name))) {
                throw new TransformException(
                        "there is a column \"" + name + "\" already; set another 'suffix'");
            }
            fields.add(new Field(name, FieldType.notNullable(NumberType.UINT8.arrow()), null));
        }
        return new Schema(fields, schema.getCustomMetadata());
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        List<FieldVector> vectors = new ArrayList<>();
        try {
            for (String column : columns.in(rows.getSchema())) {
                Field field = schema.findField(column + suffix);
                vectors.add(indicator(rows.getVector(column), field, allocator));
            }
            for (int i = rows.getFieldVectors().size() - 1; i >= 0; i--) {
                vectors.add(0, Vectors.move(rows.getVector(i), allocator));
            }
            return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
        } catch (Throwable t) {
            Vectors.close(vectors);
            throw t;
        }
    }

    private static FieldVector indicator(
            FieldVector column, Field field, BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(field, column.getValueCount(), allocator);
        if (column.getNullCount() > 0) {
            long to = made.getDataBufferAddress();
            for (int row = 0; row < column.getValueCount(); row++) {
                MemoryUtil.putByte(to + row, (byte) (column.isNull(row) ? 1 : 0));
            }
        }
        return made;
    }
}
