package io.lockstep.transform.column;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Converts columns to other types of numbers, and refuses values that do not fit. */
final class CastTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    static final Kind KIND =
            new Kind(
                    "cast",
                    "Converts columns to another type: `{COLUMN: TYPE}` with "
                            + String.join(
                                    ", ",
                                    Arrays.stream(NumberType.values())
                                            .map(NumberType::toString)
                                            .toList())
                            + ". Numbers, booleans, decimals, texts, dates, times, timestamps and"
                            + " durations can be converted; the latter four to the integer that"
                            + " Parquet stores. A value that the type cannot hold fails the run, with"
                            + " its column and row; floats are rounded to the nearest float. Nulls"
                            + " stay null.",
                    List.of(),
                    CastTransform::new);

    private final String description;
    private final LinkedHashMap<String, NumberType> types = new LinkedHashMap<>();

    private CastTransform(TransformSpec spec) {
        this.description = Identity.of(spec, 1);
        ParameterType<NumberType> type = ParameterType.choice(NumberType.values());
        Parameters.whole(spec, ParameterType.TEXTS)
                .forEach((columns, name) -> types.put(columns, type(type, columns, name)));
    }

    private static NumberType type(ParameterType<NumberType> type, String columns, String name) {
        return Arrays.stream(NumberType.values())
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new TransformException(
                                        "the type of '"
                                                + columns
                                                + "' is '"
                                                + name
                                                + "'; it must be "
                                                + type.words()));
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Schema schema(Schema schema) {
        Map<String, NumberType> chosen = chosen(schema);
        List<Field> fields = new ArrayList<>();
        for (Field field : schema.getFields()) {
            NumberType to = chosen.get(field.getName());
            fields.add(to == null ? field : converted(field, to));
        }
        return new Schema(fields, schema.getCustomMetadata());
    }

    private Map<String, NumberType> chosen(Schema schema) {
        Map<String, NumberType> chosen = new LinkedHashMap<>();
        types.forEach(
                (text, type) ->
                        new Columns(List.of(text))
                                .in(schema)
                                .forEach(column -> chosen.put(column, type)));
        return chosen;
    }

    private static Field converted(Field field, NumberType to) {
        if (!Castable.accepts(field)) {
            throw new TransformException(
                    "the column \""
                            + field.getName()
                            + "\" is of type "
                            + TypeNames.of(field)
                            + ", which cannot be converted to "
                            + to);
        }
        FieldType type = new FieldType(field.isNullable(), to.arrow(), null);
        return new Field(field.getName(), type, null);
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Map<String, NumberType> chosen = chosen(rows.getSchema());
        Schema schema = schema(rows.getSchema());
        List<FieldVector> vectors = new ArrayList<>();
        try {
            for (Field field : schema.getFields()) {
                FieldVector from = rows.getVector(field.getName());
                NumberType to = chosen.get(field.getName());
                vectors.add(
                        to == null
                                ? Vectors.move(from, allocator)
                                : new Castable(from).to(field, to, allocator));
            }
            return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
        } catch (Throwable t) {
            Vectors.close(vectors);
            throw t;
        }
    }
}
