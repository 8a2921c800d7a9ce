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
 * first; a column is nullable if it is nullable in any file. A column that a file lacks, that has
 * different types, or that cannot be read in some file, is unreadable; the others are not affected.
 */
final class SchemaMerger {

    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Map<String, FoundFile> firstFiles = new HashMap<>();
    private final Map<String, UnreadableColumn> unreadable = new LinkedHashMap<>();
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

    /** Returns the columns that can be read in all files. */
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
        leaveOut(
                known.getName(),
                type,
                "is " + in + " and " + otherType + " in " + file.path(),
                null);
        return known;
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
        leaveOut(name, field == null ? null : type, reason, null);
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
