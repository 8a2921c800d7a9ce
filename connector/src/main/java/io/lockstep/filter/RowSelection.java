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
 */
@PublicEvolving
public record RowSelection(@Nullable Expression filter) implements Serializable {

    /** Keeps all rows. */
    public static final RowSelection ALL = new RowSelection(null);

    public boolean isAll() {
        return filter == null;
    }

    /** What identifies the selection, one line each; empty if it keeps all rows. */
    public List<String> description() {
        List<String> lines = new ArrayList<>();
        if (filter != null) {
            lines.add("filter " + filter.text().replace("\\", "\\\\").replace("\n", "\\n"));
        }
        return lines;
    }
}
