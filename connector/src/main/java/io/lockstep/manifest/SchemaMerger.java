package io.lockstep.manifest;

import io.lockstep.UserException;
import io.lockstep.footer.FileColumn;
import io.lockstep.footer.FileSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Merges the schemas of all files, which must agree in names and types, into one. Columns have the
 * order of the first file; a column is nullable if it is nullable in any file.
 */
final class SchemaMerger {

    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Map<String, UnreadableColumn> unreadable = new LinkedHashMap<>();
    private final FoundFile first;

    SchemaMerger(PlannedFile first) {
        this.first = first.file();
        first.schema().columns().forEach(c -> fields.put(c.name(), c.field()));
        addUnreadable(first);
    }

    /**
     * @throws UserException if the files do not agree; the message names two files and a column
     */
    static SchemaMerger merge(List<PlannedFile> files) {
        SchemaMerger merger = new SchemaMerger(files.get(0));
        FileSchema last = files.get(0).schema();
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

    /** Excludes a column, regardless of its type. */
    void leaveOut(UnreadableColumn column) {
        unreadable.putIfAbsent(column.name(), column);
    }

    private void addUnreadable(PlannedFile file) {
        String path = file.file().path().toString();
        file.schema()
                .unreadable()
                .forEach((name, why) -> leaveOut(new UnreadableColumn(name, why, path)));
    }

    private void add(PlannedFile file) {
        Map<String, String> types = new HashMap<>();
        for (FileColumn column : file.schema().columns()) {
            types.put(column.name(), TypeNames.of(column.field()));
            Field known = fields.get(column.name());
            if (known != null && TypeNames.of(known).equals(TypeNames.of(column.field()))) {
                fields.put(column.name(), nullable(known, column.field()));
            }
        }
        file.schema().unreadable().keySet().forEach(name -> types.put(name, null));
        for (Field field : fields.values()) {
            require(field.getName(), TypeNames.of(field), types, file);
        }
        for (UnreadableColumn column : unreadable.values()) {
            require(column.name(), null, types, file);
        }
        for (String name : types.keySet()) {
            if (!fields.containsKey(name) && !unreadable.containsKey(name)) {
                throw lacking(name, text(types.get(name)), file.file(), first);
            }
        }
        addUnreadable(file);
    }

    private void require(String name, String type, Map<String, String> types, PlannedFile file) {
        if (!types.containsKey(name)) {
            throw lacking(name, text(type), first, file.file());
        }
        String other = types.get(name);
        if (type != null && other != null && !type.equals(other)) {
            throw refusal(
                    name,
                    type + " in " + first.path() + " and " + other + " in " + file.file().path());
        }
    }

    private static UserException lacking(String name, String type, FoundFile has, FoundFile lacks) {
        return refusal(
                name, type + " in " + has.path() + ", and " + lacks.path() + " has no such column");
    }

    private static UserException refusal(String name, String difference) {
        return new UserException(
                "The files of a dataset must have the same columns: \""
                        + name
                        + "\" is "
                        + difference
                        + "; write one of them anew, or leave it out of the data.");
    }

    private static String text(String type) {
        return type == null ? "of a type that Lockstep does not read" : type;
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
