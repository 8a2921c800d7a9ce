package io.lockstep.transform.statistic;

import io.lockstep.transform.StatisticValue;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Mean, variance and range of the values of a column that are neither null nor NaN.
 *
 * @param count of the values, at least 1
 * @param variance of the population: the sum of {@code (x - mean)^2} divided by the count
 */
public record Moments(long count, double mean, double variance, double min, double max)
        implements StatisticValue {

    /** The standard deviation; 1 if all values are equal. */
    public double scale() {
        return min == max || variance == 0 ? 1 : Math.sqrt(variance);
    }

    @Override
    public String identity() {
        return "count="
                + count
                + " mean="
                + mean
                + " variance="
                + variance
                + " min="
                + min
                + " max="
                + max;
    }

    @Override
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("count", count);
        figures.put("mean", mean);
        figures.put("variance", variance);
        figures.put("min", min);
        figures.put("max", max);
        return figures;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeLong(count);
        out.writeDouble(mean);
        out.writeDouble(variance);
        out.writeDouble(min);
        out.writeDouble(max);
    }

    static Moments read(DataInput in) throws IOException {
        return new Moments(
                in.readLong(), in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble());
    }
}
