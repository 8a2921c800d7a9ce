package io.lockstep.batch;

import java.util.Arrays;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Which values of a node go into a batch, in order: runs of neighbours in the sources' vectors.
 *
 * <p>Most columns take one value a row, and a fixed-size list's elements the same number a row;
 * then there are no lengths, and run i has {@code unit} values from {@code start[i] * unit} on.
 */
final class Selection {

    /** By run, the source that it is taken from. */
    final int[] source;

    /** By run, where it starts: in values, or where there are no lengths in units. */
    final int[] start;

    /** By run, how many values it has; absent where each has {@link #unit}. */
    final int[] length;

    final int unit;

    /** The values of all runs; more than a vector can hold where somebody asks for too much. */
    final long values;

    private Selection(int[] source, int[] start, int[] length, int unit, long values) {
        this.source = source;
        this.start = start;
        this.length = length;
        this.unit = unit;
        this.values = values;
    }

    /** One value a row. */
    static Selection rows(int[] source, int[] row) {
        return new Selection(source, row, null, 1, row.length);
    }

    /** Neighbouring values of a vector. */
    static Selection range(int from, int values) {
        return new Selection(new int[1], new int[] {from}, new int[] {values}, 1, values);
    }

    int runs() {
        return source.length;
    }

    boolean uniform() {
        return length == null;
    }

    /** The first value of a run. */
    long begin(int run) {
        return uniform() ? (long) start[run] * unit : start[run];
    }

    /** The values of a run. */
    int count(int run) {
        return uniform() ? unit : length[run];
    }

    /**
     * Those of the selected values that are not null, where there is one source.
     *
     * @param validity the address of its validity bitmap
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

    /** The elements of the selected lists of a fixed size. */
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
     * The elements of the selected lists, or the bytes of the selected strings: those of neighbours
     * lie next to each other.
     *
     * @param offsets by source, the address of its 32-bit offsets
     */
    Selection elements(long[] offsets) {
        int[] starts = new int[runs()];
        int[] lengths = new int[runs()];
        long total = 0;
        for (int i = 0; i < runs(); i++) {
            long first = offsets[source[i]] + begin(i) * Integer.BYTES;
            int begin = MemoryUtil.getInt(first);
            int end = MemoryUtil.getInt(first + (long) count(i) * Integer.BYTES);
            starts[i] = begin;
            lengths[i] = end - begin;
            total += end - begin;
        }
        return new Selection(source, starts, lengths, 1, total);
    }
}
