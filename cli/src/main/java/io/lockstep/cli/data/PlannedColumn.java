package io.lockstep.cli.data;

import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.TypeNames;
import io.lockstep.manifest.UnreadableColumn;
import io.lockstep.materialize.Content;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A column of a dataset.
 *
 * @param selected whether a run reads it
 * @param reason why it cannot be read, completing the sentence "the column ..."; null if it can
 */
public record PlannedColumn(String name, String type, boolean selected, @Nullable String reason) {

    /** All columns: those that the content reads, then the other readable ones, then the rest. */
    static List<PlannedColumn> of(Manifest manifest, SchemaRules rules, Content content) {
        List<PlannedColumn> columns = new ArrayList<>();
        List<Field> selected = content.columns().getFields();
        selected.forEach(field -> columns.add(readable(field, true)));
        for (Field field : manifest.columns(rules)) {
            if (selected.stream().noneMatch(s -> s.getName().equals(field.getName()))) {
                columns.add(readable(field, false));
            }
        }
        for (UnreadableColumn column : manifest.unreadable(rules)) {
            String way = column.setting() == null ? "" : "; " + column.setting() + " reads it";
            columns.add(
                    new PlannedColumn(
                            column.name(), column.typeName(), false, column.reason() + way));
        }
        return columns;
    }

    private static PlannedColumn readable(Field field, boolean selected) {
        return new PlannedColumn(field.getName(), TypeNames.of(field), selected, null);
    }

    public boolean readable() {
        return reason == null;
    }
}
