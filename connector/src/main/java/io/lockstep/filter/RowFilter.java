package io.lockstep.filter;

import io.lockstep.UserException;
import io.lockstep.expression.BoundExpression;
import io.lockstep.expression.Expression;
import io.lockstep.expression.ExpressionException;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.UnreadableColumn;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Finds the rows of row groups that a selection keeps. Thread-safe. */
public final class RowFilter {

    private final Manifest manifest;
    private final Expression filter;
    private final BoundExpression condition;

    /**
     * @param selection with a filter
     * @param rules by which columns are read that differ between files
     * @throws UserException if the filter does not fit the columns
     */
    public RowFilter(RowSelection selection, Manifest manifest, SchemaRules rules) {
        this.manifest = manifest;
        this.filter = selection.filter();
        this.condition = condition(filter, manifest, rules);
    }

    private static BoundExpression condition(
            Expression filter, Manifest manifest, SchemaRules rules) {
        for (UnreadableColumn column : manifest.unreadable(rules)) {
            if (filter.columns().contains(column.name())) {
                throw new UserException(
                        "the filter `"
                                + filter.text()
                                + "` cannot use the column \""
                                + column.name()
                                + "\", which "
                                + column.reason());
            }
        }
        BoundExpression condition;
        try {
            condition = filter.bind(new Schema(manifest.columns(rules)));
        } catch (ExpressionException e) {
            throw new UserException("the filter " + e.getMessage(), e);
        }
        if (!condition.isCondition()) {
            throw new UserException(
                    "the filter `"
                            + filter.text()
                            + "` is no condition that is true or false, such as `"
                            + filter.text()
                            + " > 0`");
        }
        return condition;
    }

    /** The columns that it uses. */
    public List<String> columns() {
        return List.copyOf(filter.columns());
    }

    /**
     * Returns the kept rows of a row group, ascending.
     *
     * @param rows all rows of the row group, with at least {@link #columns}
     * @param allocator for temporary memory
     * @throws UserException if the filter cannot be computed for a row
     */
    public int[] kept(int rowGroup, VectorSchemaRoot rows, BufferAllocator allocator) {
        try {
            return condition.select(rows, allocator);
        } catch (ExpressionException e) {
            RowGroup group = manifest.rowGroups().get(rowGroup);
            throw new UserException(
                    "the filter "
                            + e.getMessage()
                            + ": row group "
                            + group.ordinal()
                            + " of "
                            + manifest.shards().get(group.shard()).location(),
                    e);
        }
    }
}
