package io.lockstep.batch;

import java.util.Arrays;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The values of a node that go into a batch, in order, as runs of adjacent values in the sources'
 * vectors.
 *
 * <p>Most columns take one value per row, and the elements of fixed-size lists take the same number
 * per row. In this case there are no lengths, and run i has {@code unit} values from {@code
 * start[i] * unit} on.
 */
final class Selection {

    /** By run, the source of its values. */
    final int[] source;

    /** By run, its start: in values, or in units if there are no lengths. */
    final int[] start;

    /** By run, its number of values; null if each run has {@link #unit}. */
    final int[] length;

    final int unit;

    /** The number of values of all runs, which can exceed what a vector can hold. */
    final long values;

    private Selection(int[] source, int[] start, int[] length, int unit, long values) {
        this.source = source;
        this.start = start;
        this.length = length;
        this.unit = unit;
        this.values = values;
    }

    /** Selects one value per row. */
    static Selection rows(int[] source, int[] row) {
        return new Selection(source, row, null, 1, row.length);
    }

    /** Selects adjacent values of a vector. */
    static Selection range(int from, int values) {
        return new Selection(new int[1], new int[] {from}, new int[] {values}, 1, values);
    }

    int runs() {
        return source.length;
    }

    boolean uniform() {
        return length == null;
    }

    /** Returns the first value of a run. */
    long begin(int run) {
        return uniform() ? (long) start[run] * unit : start[run];
    }

    /** Returns the number of values of a run. */
    int count(int run) {
        return uniform() ? unit : length[run];
    }

    /**
     * Returns the selected values that are not null. Requires a single source.
     *
     * @param validity the address of the source's validity bitmap
     */
    Selection present(long validity) {
        int[] starts = new int[(int) values];
        int count = 0;
        for (int i = 0; i < runs(); i++) {
            long begin = begin(i);
            for (int k = 0; k < count(i); k++) {
                starts[count] = (int) (begin + k);
                count += Bits.get(validity, begin + k);
            }
        }
        return rows(new int[count], Arrays.copyOf(starts, count));
    }

    /** Returns the elements of the selected fixed-size lists. */
    Selection fixedElements(int listSize) {
        if (uniform()) {
            return new Selection(source, start, null, unit * listSize, values * listSize);
        }
        int[] starts = new int[runs()];
        int[] lengths = new int[runs()];
        for (int i = 0; i < runs(); i++) {
            starts[i] = start[i] * listSize;
            lengths[i] = length[i] * listSize;
        }
        return new Selection(source, starts, lengths, 1, values * listSize);
    }

    /**
     * Returns the elements of the selected lists, or the bytes of the selected strings. Those of
     * adjacent lists or strings are adjacent.
     *
     * <p>The offsets of a mapped file may have changed since it was checked, so they are compared
     * with the limits before anything is read from there.
     *
     * @param offsets by source, the address of its 32-bit offsets
     * @param limits by source, its number of elements or bytes
     * @throws IllegalStateException if an offset exceeds its limit
     */
    Selection elements(long[] offsets, long[] limits) {
        int[] starts = new int[runs()];
        int[] lengths = new int[runs()];
        long total = 0;
        for (int i = 0; i < runs(); i++) {
            long first = offsets[source[i]] + begin(i) * Integer.BYTES;
            int begin = MemoryUtil.getInt(first);
            int end = MemoryUtil.getInt(first + (long) count(i) * Integer.BYTES);
            if (begin < 0 || end < begin || end > limits[source[i]]) {
                throw new IllegalStateException(
                        "The offsets of a row group lead from "
                                + begin
                                + " to "
                                + end
                                + " of "
                                + limits[source[i]]
                                + " elements.");
            }
            starts[i] = begin;
            lengths[i] = end - begin;
            total += end - begin;
        }
        return new Selection(source, starts, lengths, 1, total);
    }
}
