package io.lockstep.cli.past;

import io.lockstep.batch.Wire;
import io.lockstep.cli.rows.Cells;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compare.Range;
import org.apache.arrow.vector.compare.RangeEqualsVisitor;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The first value that differs between two batches, row by row and column by column.
 *
 * @param sample the id in the first batch
 * @param column {@link Wire#SAMPLE} if the samples differ
 */
record RowDifference(int row, long sample, String column, String first, String second) {

    private static final int LONGEST = 60;

    static Optional<RowDifference> between(VectorSchemaRoot first, VectorSchemaRoot second) {
        Set<String> columns = new LinkedHashSet<>();
        columns.add(Wire.SAMPLE);
        first.getSchema().getFields().stream().map(Field::getName).forEach(columns::add);
        second.getSchema().getFields().stream().map(Field::getName).forEach(columns::add);
        for (int row = 0; row < Math.min(first.getRowCount(), second.getRowCount()); row++) {
            for (String column : columns) {
                FieldVector ours = first.getVector(column);
                FieldVector theirs = second.getVector(column);
                if (!equal(ours, theirs, row)) {
                    return Optional.of(
                            new RowDifference(
                                    row,
                                    ((Number) Cells.value(first.getVector(Wire.SAMPLE), row))
                                            .longValue(),
                                    column,
                                    text(ours, row),
                                    text(theirs, row)));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean equal(FieldVector ours, FieldVector theirs, int row) {
        return ours != null
                && theirs != null
                && ours.getField().getType().equals(theirs.getField().getType())
                && new RangeEqualsVisitor(ours, theirs, (one, other) -> true)
                        .rangeEquals(new Range(row, row, 1));
    }

    private static String text(FieldVector vector, int row) {
        if (vector == null) {
            return "no such column";
        }
        String text = String.valueOf(Cells.value(vector, row));
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
