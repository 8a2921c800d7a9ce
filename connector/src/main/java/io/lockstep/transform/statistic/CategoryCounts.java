package io.lockstep.transform.statistic;

import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.Elements;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;

/**
 * The values of a column that are neither null nor NaN, or of the elements of its lists, with the
 * number of the rows that have them, and for each the sum of a target over these rows.
 */
final class CategoryCounts {

    private final String column;
    private final KeySet keys = new KeySet();
    private long[] counts = new long[8];
    private double[] sums = new double[8];

    CategoryCounts(String column) {
        this.column = column;
    }

    KeySet keys() {
        return keys;
    }

    /** The counts of all values. */
    long[] counts() {
        return Arrays.copyOf(counts, keys.size());
    }

    /** The sums of all values. */
    double[] sums() {
        return Arrays.copyOf(sums, keys.size());
    }

    long count(int index) {
        return counts[index];
    }

    static CategoryCounts of(FieldVector values) {
        CategoryCounts counts = new CategoryCounts(values.getName());
        if (Elements.areLists(values.getField())) {
            FieldVector elements = Elements.elements(values);
            CategoryType.Keys bytes = CategoryType.keys(elements);
            for (int row = 0; row < values.getValueCount(); row++) {
                if (!values.isNull(row)) {
                    int end = Elements.end(values, row);
                    counts.count(elements, bytes, Elements.start(values, row), end);
                }
            }
        } else {
            counts.count(values, CategoryType.keys(values), 0, values.getValueCount());
        }
        return counts;
    }

    private void count(FieldVector values, CategoryType.Keys bytes, int start, int end) {
        boolean nulls = values.getNullCount() > 0;
        for (int i = start; i < end; i++) {
            byte[] key = nulls && values.isNull(i) ? null : bytes.get(i);
            if (key != null) {
                add(key, 1, 0);
            }
        }
    }

    /** Adds the counts of other rows. */
    void add(CategoryCounts others) {
        for (int i = 0; i < others.keys.size(); i++) {
            add(others.keys.get(i), others.counts[i], others.sums[i]);
        }
    }

    /** Adds rows with a value, and the sum of their targets. */
    void add(byte[] key, long count, double sum) {
        if (!keys.hasRoomFor(key)) {
            throw new TransformException(
                    String.format(
                            "the column \"%s\" has more than %d different values, or they take"
                                    + " more than %d MiB: take 'hash', which needs no list of them",
                            column, KeySet.MAX_SIZE, KeySet.MAX_BYTES >> 20));
        }
        int index = keys.add(key);
        if (index >= counts.length) {
            counts = Arrays.copyOf(counts, counts.length + counts.length / 2);
            sums = Arrays.copyOf(sums, counts.length);
        }
        counts[index] += count;
        sums[index] += sum;
    }
}
