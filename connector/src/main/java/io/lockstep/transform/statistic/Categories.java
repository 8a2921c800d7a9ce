package io.lockstep.transform.statistic;

import io.lockstep.transform.StatisticValue;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;

/** The most frequent values of a column, the most frequent first, equal counts by value. */
public final class Categories implements StatisticValue {

    private static final long serialVersionUID = 1L;

    private final CategoryType type;
    private final KeySet keys;
    private final long[] counts;
    private final long total;

    /**
     * @param counts of the rows with each value
     * @param total the rows with a value, whether it is among these or not
     */
    Categories(CategoryType type, KeySet keys, long[] counts, long total) {
        this.type = type;
        this.keys = keys;
        this.counts = counts;
        this.total = total;
    }

    /** Finds the categories of values. Not thread-safe. */
    @FunctionalInterface
    public interface Lookup {
        /** The index of the category of a value that is not null; negative if there is none. */
        int find(int row);
    }

    public int size() {
        return counts.length;
    }

    /** The rows with a category. */
    public long count(int index) {
        return counts[index];
    }

    /** All rows with a value. */
    public long total() {
        return total;
    }

    /** A category: a text, a Long or a Double. */
    public Object value(int index) {
        return type.value(keys.get(index));
    }

    /** Reads a vector of values or elements, which must stay open and unchanged. */
    public Lookup lookup(FieldVector values) {
        CategoryType.Keys bytes = CategoryType.keys(values);
        return row -> {
            byte[] key = bytes.get(row);
            return key == null ? -1 : keys.indexOf(key);
        };
    }

    @Override
    public String identity() {
        return "categories=" + size() + " sha256=" + ValueDigest.of(this);
    }

    @Override
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("categories", size());
        if (size() > 0) {
            figures.put("most frequent", value(0));
            figures.put("rows of it", count(0));
        }
        return figures;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeByte(type.ordinal());
        out.writeLong(total);
        keys.write(out);
        for (long count : counts) {
            out.writeLong(count);
        }
    }

    static Categories read(DataInput in) throws IOException {
        CategoryType type = CategoryType.values()[in.readByte()];
        long total = in.readLong();
        KeySet keys = KeySet.read(in);
        long[] counts = new long[keys.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = in.readLong();
        }
        return new Categories(type, keys, counts, total);
    }
}
