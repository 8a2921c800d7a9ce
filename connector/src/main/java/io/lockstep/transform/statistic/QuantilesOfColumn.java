package io.lockstep.transform.statistic;

import io.lockstep.transform.Statistic;
import java.util.List;

/**
 * Exact quantiles of a column of numbers, in float64: the value at {@code p * (count - 1)} of the
 * sorted values that are neither null nor NaN, counted from 0, linear between two values. For 0.5,
 * the mean of the two.
 *
 * @param probabilities from 0 to 1
 */
public record QuantilesOfColumn(String column, List<Double> probabilities) implements Statistic {

    public QuantilesOfColumn {
        probabilities = List.copyOf(probabilities);
    }

    @Override
    public List<String> columns() {
        return List.of(column);
    }

    @Override
    public Computation<?> start() {
        return new QuantileSearch(column, probabilities);
    }
}
