package io.lockstep.filter;

import io.lockstep.expression.Expression;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Which rows of its dataset a stream has.
 *
 * @param filter the condition that a row must meet; null for all rows
 * @param split of which it has a part or the rest; null for all rows
 */
@PublicEvolving
public record RowSelection(@Nullable Expression filter, @Nullable Split split)
        implements Serializable {

    /** Keeps all rows. */
    public static final RowSelection ALL = new RowSelection(null, null);

    public boolean isAll() {
        return filter == null && split == null;
    }

    /** What identifies the selection, one line each; empty if it keeps all rows. */
    public List<String> description() {
        List<String> lines = new ArrayList<>();
        if (filter != null) {
            lines.add("filter " + escaped(filter.text()));
        }
        if (split != null) {
            lines.add(split.description());
        }
        return lines;
    }

    static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    /** Its name in messages: "the filter", "the split" or both. */
    @Override
    public String toString() {
        if (split == null) {
            return "the filter";
        }
        return filter == null ? "the split" : "the filter with the split";
    }
}
