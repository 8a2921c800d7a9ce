package io.lockstep.transform.statistic;

import io.lockstep.transform.StatisticValue;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.apache.arrow.vector.FieldVector;

/** For each value of a column, the rows with it and the sum of a target over them. */
public final class CategoryTargets implements StatisticValue {

    private static final long serialVersionUID = 1L;

    private final KeySet keys;
    private final long[] counts;
    private final double[] sums;
    private final double mean;

    CategoryTargets(KeySet keys, long[] counts, double[] sums) {
        this.keys = keys;
        this.counts = counts;
        this.sums = sums;
        this.mean = DoubleStream.of(sums).sum() / LongStream.of(counts).sum();
    }

    /** The mean of the target over all rows. */
    public double mean() {
        return mean;
    }

    public long count(int index) {
        return counts[index];
    }

    public double sum(int index) {
        return sums[index];
    }

    /** Reads a vector of values, which must stay open and unchanged. */
    public Categories.Lookup lookup(FieldVector values) {
        CategoryType.Keys bytes = CategoryType.keys(values);
        return row -> {
            byte[] key = bytes.get(row);
            return key == null ? -1 : keys.indexOf(key);
        };
    }

    @Override
    public String identity() {
        return "targets=" + counts.length + " sha256=" + ValueDigest.of(this);
    }

    @Override
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("categories", counts.length);
        figures.put("mean", mean);
        return figures;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        keys.write(out);
        for (int i = 0; i < counts.length; i++) {
            out.writeLong(counts[i]);
            out.writeDouble(sums[i]);
        }
    }

    static CategoryTargets read(DataInput in) throws IOException {
        KeySet keys = KeySet.read(in);
        long[] counts = new long[keys.size()];
        double[] sums = new double[keys.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = in.readLong();
            sums[i] = in.readDouble();
        }
        return new CategoryTargets(keys, counts, sums);
    }
}
