package io.lockstep.transform.column;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Gives columns other names. */
final class RenameTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    static final Kind KIND =
            new Kind(
                    "rename",
                    "Gives columns other names: `{OLD: NEW}`. In both, a `*` stands for the same"
                            + " characters: `{'raw_*': '*'}` removes a prefix.",
                    List.of(),
                    RenameTransform::new);

    private final String description;
    private final LinkedHashMap<String, String> names;

    private RenameTransform(TransformSpec spec) {
        this.description = Identity.of(spec, 1);
        this.names = new LinkedHashMap<>(Parameters.whole(spec, ParameterType.TEXTS));
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Schema schema(Schema schema) {
        Map<String, String> renamed = renamed(schema);
        Set<String> seen = new HashSet<>();
        List<Field> fields = new ArrayList<>();
        for (Field field : schema.getFields()) {
            String name = renamed.getOrDefault(field.getName(), field.getName());
            if (!seen.add(name)) {
                throw new TransformException("two columns would have the name \"" + name + "\"");
            }
            fields.add(new Field(name, field.getFieldType(), field.getChildren()));
        }
        return new Schema(fields, schema.getCustomMetadata());
    }

    private Map<String, String> renamed(Schema schema) {
        Map<String, String> renamed = new LinkedHashMap<>();
        names.forEach(
                (from, to) -> {
                    for (String column : new Columns(List.of(from)).in(schema)) {
                        String part =
                                schema.findField(column).getName().equals(from)
                                        ? ""
                                        : matched(from, column);
                        renamed.put(column, to.replace("*", part));
                    }
                });
        return renamed;
    }

    /** Returns what the first star of a glob stands for. */
    private static String matched(String glob, String column) {
        int star = glob.indexOf('*');
        if (star < 0 || glob.indexOf('*', star + 1) >= 0) {
            throw new TransformException(
                    "the name '" + glob + "' must be a column, or have one '*'");
        }
        return column.substring(star, column.length() - (glob.length() - star - 1));
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        List<FieldVector> vectors = new ArrayList<>();
        for (int i = 0; i < schema.getFields().size(); i++) {
            FieldVector from = rows.getVector(i);
            vectors.add(Vectors.move(from, schema.getFields().get(i), allocator));
        }
        return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
    }
}
