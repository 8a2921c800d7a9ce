package io.lockstep.transform.statistic;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The {@link Moments} of a column of numbers, in float64 and one pass. */
public record MomentsOfColumn(String column) implements Statistic {

    @Override
    public List<String> columns() {
        return List.of(column);
    }

    @Override
    public Computation<?> start() {
        return new Sums(column);
    }

    /** The moments of some values; {@code squares} is the sum of {@code (x - mean)^2}. */
    private record Part(long count, double mean, double squares, double min, double max) {

        static Part of(double[] values) {
            double sum = 0;
            double min = Double.POSITIVE_INFINITY;
            double max = Double.NEGATIVE_INFINITY;
            for (double value : values) {
                sum += value;
                min = Math.min(min, value);
                max = Math.max(max, value);
            }
            double mean = values.length == 0 ? 0 : sum / values.length;
            double squares = 0;
            double rest = 0;
            for (double value : values) {
                double distance = value - mean;
                squares += distance * distance;
                rest += distance;
            }
            // Corrects for the rounding of the mean.
            double correction = values.length == 0 ? 0 : rest * rest / values.length;
            return new Part(values.length, mean, squares - correction, min, max);
        }

        /** Combines the moments of disjoint sets of values. */
        Part and(Part other) {
            if (count == 0 || other.count == 0) {
                return count == 0 ? other : this;
            }
            long both = count + other.count;
            double distance = other.mean - mean;
            double share = (double) other.count / both;
            return new Part(
                    both,
                    mean + distance * share,
                    squares + other.squares + distance * distance * count * share,
                    Math.min(min, other.min),
                    Math.max(max, other.max));
        }
    }

    /** Adds the moments of row groups. */
    private static final class Sums implements Computation<Part> {

        private final String column;
        private Part all = Part.of(new double[0]);

        Sums(String column) {
            this.column = column;
        }

        @Override
        public Part partial(VectorSchemaRoot rows) {
            return Part.of(Numbers.of(rows.getVector(column)));
        }

        @Override
        public void add(Part partial) {
            all = all.and(partial);
        }

        @Override
        public boolean endPass() {
            if (all.count() == 0) {
                throw Numbers.none(column, "mean");
            }
            return true;
        }

        @Override
        public StatisticValue value() {
            double variance = Math.max(0, all.squares() / all.count());
            return new Moments(all.count(), all.mean(), variance, all.min(), all.max());
        }
    }
}
