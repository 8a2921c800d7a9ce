package io.lockstep.filter;

import io.lockstep.Nearest;
import io.lockstep.UserException;
import io.lockstep.expression.BoundExpression;
import io.lockstep.expression.Expression;
import io.lockstep.expression.ExpressionException;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.Names;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.UnreadableColumn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Finds the rows of row groups that a selection keeps. Thread-safe. */
public final class RowFilter {

    private final Manifest manifest;
    private final RowSelection selection;
    @Nullable private final BoundExpression condition;
    @Nullable private final SplitRows part;

    /**
     * @param rules by which columns are read that differ between files
     * @throws UserException if filter or split do not fit the columns
     */
    public RowFilter(RowSelection selection, Manifest manifest, SchemaRules rules) {
        this.manifest = manifest;
        this.selection = selection;
        this.condition =
                selection.filter() == null ? null : condition(selection.filter(), manifest, rules);
        this.part = selection.split() == null ? null : part(selection.split(), manifest, rules);
    }

    private static SplitRows part(Split split, Manifest manifest, SchemaRules rules) {
        if (split.by() != null) {
            refuse("the split", Set.of(split.by()), manifest, rules);
            List<String> known = new ArrayList<>();
            for (Field column : manifest.columns(rules)) {
                known.add(column.getName());
                if (column.getName().equals(split.by())) {
                    SplitRows.check(column);
                }
            }
            if (!known.contains(split.by())) {
                throw new UserException(
                        "the split is by the column \""
                                + split.by()
                                + "\", and there is none."
                                + Nearest.suggestion(split.by(), known)
                                + " The columns are "
                                + Names.some(known)
                                + ".");
            }
        }
        return new SplitRows(split);
    }

    private static void refuse(String who, Set<String> used, Manifest manifest, SchemaRules rules) {
        for (UnreadableColumn column : manifest.unreadable(rules)) {
            if (used.contains(column.name())) {
                throw new UserException(
                        who
                                + " cannot use the column \""
                                + column.name()
                                + "\", which "
                                + column.reason());
            }
        }
    }

    private static BoundExpression condition(
            Expression filter, Manifest manifest, SchemaRules rules) {
        refuse("the filter `" + filter.text() + "`", filter.columns(), manifest, rules);
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
        Set<String> columns = new LinkedHashSet<>();
        if (selection.filter() != null) {
            columns.addAll(selection.filter().columns());
        }
        if (selection.split() != null && selection.split().by() != null) {
            columns.add(selection.split().by());
        }
        return List.copyOf(columns);
    }

    /**
     * Returns the kept rows of a row group, ascending.
     *
     * @param rows all rows of the row group, with at least {@link #columns}
     * @param allocator for temporary memory
     * @throws UserException if the filter cannot be computed for a row
     */
    public int[] kept(int rowGroup, VectorSchemaRoot rows, BufferAllocator allocator) {
        int[] kept =
                condition == null
                        ? IntStream.range(0, rows.getRowCount()).toArray()
                        : filtered(rowGroup, rows, allocator);
        return part == null ? kept : inPart(rowGroup, rows, kept);
    }

    private int[] filtered(int rowGroup, VectorSchemaRoot rows, BufferAllocator allocator) {
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

    private int[] inPart(int rowGroup, VectorSchemaRoot rows, int[] filtered) {
        long first = manifest.firstRow(rowGroup);
        String by = selection.split().by();
        SplitRows.Hash hash = by == null ? row -> first + row : SplitRows.hash(rows.getVector(by));
        return IntStream.of(filtered).filter(row -> part.keeps(hash.of(row))).toArray();
    }
}
