package io.lockstep.footer;

import io.lockstep.UserException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The columns of one file, in file order.
 *
 * @param columns the columns that Lockstep can read
 * @param unreadable the other columns with the reason, which completes the sentence "the column
 *     ..."
 * @param leaves the number of chunks in a row group
 */
public record FileSchema(List<FileColumn> columns, Map<String, String> unreadable, int leaves) {

    static FileSchema of(Footer footer) {
        SchemaNode root = parse(footer);
        Map<String, Field> stored = StoredArrowSchema.fields(footer.schemaText().arrow());
        List<FileColumn> columns = new ArrayList<>();
        Map<String, String> unreadable = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        int leaf = 0;
        for (SchemaNode top : root.children()) {
            String name = top.name();
            try {
                FileColumn column = ColumnMapper.map(top, leaf);
                columns.add(StoredArrowSchema.restore(column, stored.get(name)));
            } catch (UnsupportedTypeException e) {
                unreadable.put(name, e.getMessage());
            }
            if (!names.add(name)) {
                columns.removeIf(column -> column.name().equals(name));
                unreadable.put(name, "is in the file twice");
            }
            leaf += top.leaves();
        }
        return new FileSchema(columns, unreadable, leaf);
    }

    private static SchemaNode parse(Footer footer) {
        try {
            return SchemaNode.root(footer.schemaText().elements());
        } catch (IOException | RuntimeException e) {
            throw new UserException(
                    "The schema of "
                            + footer.file()
                            + " cannot be read ("
                            + e.getMessage()
                            + "); write the file again.",
                    e);
        }
    }
}
