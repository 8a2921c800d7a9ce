package io.lockstep.transform.statistic;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.column.DoubleValues;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The {@link CategoryTargets} of a column, in one pass. Rows without a value, or whose target is
 * null or NaN, do not count.
 */
public record TargetsOfColumn(String column, String target) implements Statistic {

    @Override
    public List<String> columns() {
        return List.of(column, target);
    }

    @Override
    public Computation<?> start() {
        return new Summing(this);
    }

    /** Adds the sums of row groups. */
    private static final class Summing implements Computation<CategoryCounts> {

        private final TargetsOfColumn statistic;
        private final CategoryCounts all;

        Summing(TargetsOfColumn statistic) {
            this.statistic = statistic;
            this.all = new CategoryCounts(statistic.column);
        }

        @Override
        public CategoryCounts partial(VectorSchemaRoot rows) {
            FieldVector values = rows.getVector(statistic.column);
            FieldVector target = rows.getVector(statistic.target);
            DoubleValues.check(target.getField());
            CategoryType.Keys keys = CategoryType.keys(values);
            DoubleValues targets = DoubleValues.of(target);
            CategoryCounts part = new CategoryCounts(statistic.column);
            for (int row = 0; row < rows.getRowCount(); row++) {
                if (values.isNull(row) || target.isNull(row)) {
                    continue;
                }
                double number = targets.get(row);
                Numbers.checkFinite(target, number, row);
                byte[] key = keys.get(row);
                if (key != null && number == number) {
                    part.add(key, 1, number);
                }
            }
            return part;
        }

        @Override
        public void add(CategoryCounts partial) {
            all.add(partial);
        }

        @Override
        public boolean endPass() {
            if (all.keys().size() == 0) {
                throw Numbers.none(statistic.column, "mean target");
            }
            return true;
        }

        @Override
        public StatisticValue value() {
            return new CategoryTargets(all.keys(), all.counts(), all.sums());
        }
    }
}
