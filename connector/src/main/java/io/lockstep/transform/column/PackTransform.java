package io.lockstep.transform.column;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Lays columns side by side in one column of fixed-size lists, which is a tensor in a batch. */
final class PackTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    /** What happens to nulls. */
    private enum Nulls {
        REFUSE,
        MASK
    }

    private static final String MASK_SUFFIX = "_mask";

    private static final Parameter<String> INTO =
            Parameter.required("into", ParameterType.TEXT, "The name of the new column.");
    private static final Parameter<NumberType> TYPE =
            Parameter.optional(
                    "type",
                    ParameterType.choice(NumberType.ofBytes()),
                    NumberType.FLOAT32,
                    "The type of its values; default: float32. A value that it cannot hold fails the"
                            + " run.");
    private static final Parameter<Nulls> NULLS =
            Parameter.optional(
                    "nulls",
                    ParameterType.choice(Nulls.values()),
                    Nulls.REFUSE,
                    "`refuse` (the default) fails the run at a null; `mask` makes it 0 and adds a"
                            + " column `INTO_mask` of uint8, 1 where a value is present and 0 where"
                            + " it was null.");

    static final Kind KIND =
            Kind.of(
                    "pack",
                    "Lays columns side by side in one column, which a batch holds as a tensor [rows,"
                            + " n]. It takes the place of the first; the columns are removed. A column"
                            + " of fixed-size lists gives as many values as its lists have.",
                    List.of(ColumnKinds.COLUMNS, INTO, TYPE, NULLS),
                    PackTransform::new);

    private final String description;
    private final Columns columns;
    private final String into;
    private final NumberType type;
    private final boolean mask;

    private PackTransform(TransformSpec spec, Parameters parameters) {
        this.description = Identity.of(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
        this.into = parameters.get(INTO);
        this.type = parameters.get(TYPE);
        this.mask = parameters.get(NULLS) == Nulls.MASK;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Schema schema(Schema schema) {
        Set<String> packed = new HashSet<>(columns.in(schema));
        List<Field> fields = new ArrayList<>();
        boolean placed = false;
        for (Field field : schema.getFields()) {
            if (!packed.contains(field.getName())) {
                fields.add(field);
            } else if (!placed) {
                fields.addAll(made(schema));
                placed = true;
            }
        }
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            if (!names.add(field.getName())) {
                throw new TransformException(
                        "there is a column \""
                                + field.getName()
                                + "\" already; set another 'into'");
            }
        }
        return new Schema(fields, schema.getCustomMetadata());
    }

    private List<Field> made(Schema schema) {
        int width = 0;
        for (String column : columns.in(schema)) {
            Field field = schema.findField(column);
            DoubleValues.check(PackedColumn.element(field));
            width += PackedColumn.width(field);
        }
        Field values = FixedLists.field(into, width, type);
        return mask
                ? List.of(values, FixedLists.field(into + MASK_SUFFIX, width, NumberType.UINT8))
                : List.of(values);
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        List<PackedColumn> packed =
                columns.in(rows.getSchema()).stream()
                        .map(column -> new PackedColumn(rows.getVector(column)))
                        .toList();
        if (!mask) {
            packed.forEach(PackedColumn::refuseNulls);
        }
        List<FieldVector> vectors = new ArrayList<>();
        try {
            for (Field field : schema.getFields()) {
                if (field.getName().equals(into)) {
                    vectors.add(PackedRows.values(packed, field, type, allocator));
                } else if (mask && field.getName().equals(into + MASK_SUFFIX)) {
                    vectors.add(PackedRows.mask(packed, field, allocator));
                } else {
                    vectors.add(Vectors.move(rows.getVector(field.getName()), allocator));
                }
            }
            return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
        } catch (Throwable t) {
            Vectors.close(vectors);
            throw t;
        }
    }
}
