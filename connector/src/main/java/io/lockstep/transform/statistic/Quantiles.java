package io.lockstep.transform.statistic;

import io.lockstep.transform.StatisticValue;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Quantiles of a column, in the order in which they were asked for. */
public final class Quantiles implements StatisticValue {

    private static final long serialVersionUID = 1L;

    private final double[] values;

    Quantiles(double[] values) {
        this.values = values;
    }

    public double get(int index) {
        return values[index];
    }

    public double[] values() {
        return values.clone();
    }

    @Override
    public String identity() {
        return "quantiles=" + Arrays.toString(values);
    }

    @Override
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            figures.put(values.length == 1 ? "quantile" : "quantile " + (i + 1), values[i]);
        }
        return figures;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeInt(values.length);
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    static Quantiles read(DataInput in) throws IOException {
        double[] values = new double[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
        }
        return new Quantiles(values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantiles that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }
}
