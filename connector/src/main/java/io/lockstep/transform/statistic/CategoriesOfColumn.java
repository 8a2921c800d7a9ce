package io.lockstep.transform.statistic;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The values of a column, or of the elements of its lists, with their counts, in one pass. Nulls
 * and NaN count as no value.
 *
 * @param minCount leaves out less frequent ones
 * @param maxSize the most values, of which the most frequent ones are taken
 */
public record CategoriesOfColumn(String column, CategoryType type, long minCount, int maxSize)
        implements Statistic {

    @Override
    public List<String> columns() {
        return List.of(column);
    }

    @Override
    public Computation<?> start() {
        return new Counting(this);
    }

    /** Adds the counts of row groups. */
    private static final class Counting implements Computation<CategoryCounts> {

        private final CategoriesOfColumn statistic;
        private final CategoryCounts all;

        Counting(CategoriesOfColumn statistic) {
            this.statistic = statistic;
            this.all = new CategoryCounts(statistic.column);
        }

        @Override
        public CategoryCounts partial(VectorSchemaRoot rows) {
            return CategoryCounts.of(rows.getVector(statistic.column));
        }

        @Override
        public void add(CategoryCounts partial) {
            all.add(partial);
        }

        @Override
        public boolean endPass() {
            if (all.keys().size() == 0) {
                throw Numbers.none(statistic.column, "most frequent values");
            }
            return true;
        }

        @Override
        public StatisticValue value() {
            Integer[] order =
                    IntStream.range(0, all.keys().size())
                            .filter(i -> all.count(i) >= statistic.minCount)
                            .boxed()
                            .toArray(Integer[]::new);
            Arrays.sort(
                    order,
                    Comparator.<Integer>comparingLong(i -> -all.count(i))
                            .thenComparing((a, b) -> statistic.type.compare(all.keys(), a, b)));
            int size = Math.min(order.length, statistic.maxSize);
            KeySet keys = new KeySet();
            long[] counts = new long[size];
            for (int i = 0; i < size; i++) {
                keys.add(all.keys().get(order[i]));
                counts[i] = all.count(order[i]);
            }
            long total = IntStream.range(0, all.keys().size()).mapToLong(i -> all.count(i)).sum();
            return new Categories(statistic.type, keys, counts, total);
        }
    }
}
