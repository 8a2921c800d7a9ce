package io.lockstep.filter;

import java.util.Arrays;
import java.util.stream.LongStream;

/** How many rows of each row group a selection keeps. Immutable. */
public final class KeptRows {

    private final RowSelection selection;
    private final long[] counts;

    /**
     * @param counts by row group, in canonical order
     */
    public KeptRows(RowSelection selection, long[] counts) {
        this.selection = selection;
        this.counts = counts.clone();
    }

    public RowSelection selection() {
        return selection;
    }

    /** The kept rows of a row group. */
    public long of(int rowGroup) {
        return counts[rowGroup];
    }

    /** The kept rows of each row group, in canonical order. */
    public long[] counts() {
        return counts.clone();
    }

    public long total() {
        return LongStream.of(counts).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeptRows that
                && selection.equals(that.selection)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }
}
