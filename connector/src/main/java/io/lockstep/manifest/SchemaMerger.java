package io.lockstep.manifest;

import io.lockstep.footer.FileColumn;
import io.lockstep.footer.FileSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Merges the schemas of all files into one. Columns have the order in which the files name them
 * first; a column is nullable if it is nullable in any file. A column that cannot be read in some
 * file, or whose types do not go together, is unreadable; one that a file lacks, or whose types can
 * be widened, is varying. The others are not affected.
 */
final class SchemaMerger {

    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Map<String, FoundFile> firstFiles = new HashMap<>();
    private final Map<String, UnreadableColumn> unreadable = new LinkedHashMap<>();
    private final Map<String, String> widened = new HashMap<>();
    private final Map<String, String> missing = new HashMap<>();
    private FoundFile first;

    private SchemaMerger() {}

    static SchemaMerger merge(List<PlannedFile> files) {
        SchemaMerger merger = new SchemaMerger();
        FileSchema last = null;
        for (PlannedFile file : files) {
            if (file.schema() != last) {
                merger.add(file);
                last = file.schema();
            }
        }
        return merger;
    }

    /** Returns the columns that differ, but can be read. */
    List<VaryingColumn> varying() {
        return columns().stream()
                .filter(f -> widened.containsKey(f.getName()) || missing.containsKey(f.getName()))
                .map(f -> new VaryingColumn(f, widened.get(f.getName()), missing.get(f.getName())))
                .toList();
    }

    /** Returns the columns that can be read, some perhaps only with rules. */
    List<Field> columns() {
        List<Field> readable = new ArrayList<>(fields.values());
        readable.removeIf(f -> unreadable.containsKey(f.getName()));
        return readable;
    }

    List<UnreadableColumn> unreadable() {
        return List.copyOf(unreadable.values());
    }

    /** Excludes a column of a file for a reason that completes the sentence "the column ...". */
    void leaveOut(FileColumn column, String reason, PlannedFile file) {
        leaveOut(column.name(), TypeNames.of(column.field()), reason, file.file());
    }

    private void leaveOut(
            String name, @Nullable String type, String reason, @Nullable FoundFile file) {
        String path = file == null ? null : file.path().toString();
        unreadable.putIfAbsent(name, new UnreadableColumn(name, type, reason, path));
    }

    private void add(PlannedFile planned) {
        FoundFile file = planned.file();
        FileSchema schema = planned.schema();
        schema.unreadable().forEach((name, why) -> leaveOut(name, null, why, file));
        for (FileColumn column : schema.columns()) {
            Field known = fields.get(column.name());
            fields.put(
                    column.name(),
                    known == null ? column.field() : merge(known, column.field(), file));
        }
        Map<String, FoundFile> present = new LinkedHashMap<>();
        schema.columns().forEach(column -> present.put(column.name(), file));
        schema.unreadable().keySet().forEach(name -> present.put(name, file));
        for (String name : present.keySet()) {
            if (firstFiles.putIfAbsent(name, file) == null && first != null) {
                lacking(name, first);
            }
        }
        for (String name : firstFiles.keySet()) {
            if (!present.containsKey(name)) {
                lacking(name, file);
            }
        }
        first = first == null ? file : first;
    }

    private Field merge(Field known, Field other, FoundFile file) {
        String type = TypeNames.of(known);
        String otherType = TypeNames.of(other);
        if (type.equals(otherType)) {
            return nullable(known, other);
        }
        String in = type + " in " + firstFiles.get(known.getName()).path();
        String reason = "is " + in + " and " + otherType + " in " + file.path();
        Field wide = Widening.common(known, other);
        if (wide == null) {
            leaveOut(known.getName(), type, reason, null);
            return known;
        }
        widened.putIfAbsent(known.getName(), reason);
        return wide;
    }

    /** The column is in some file, but not in this one. */
    private void lacking(String name, FoundFile file) {
        Field field = fields.get(name);
        String type = field == null ? "of a type that Lockstep does not read" : TypeNames.of(field);
        String reason =
                "is "
                        + type
                        + " in "
                        + firstFiles.get(name).path()
                        + " and missing in "
                        + file.path();
        if (field == null) {
            leaveOut(name, null, reason, null);
            return;
        }
        missing.putIfAbsent(name, reason);
        fields.put(
                name,
                new Field(name, new FieldType(true, field.getType(), null), field.getChildren()));
    }

    private static Field nullable(Field one, Field other) {
        List<Field> children = new ArrayList<>();
        for (int i = 0; i < one.getChildren().size(); i++) {
            children.add(nullable(one.getChildren().get(i), other.getChildren().get(i)));
        }
        boolean nullable = one.isNullable() || other.isNullable();
        return new Field(one.getName(), new FieldType(nullable, one.getType(), null), children);
    }
}
