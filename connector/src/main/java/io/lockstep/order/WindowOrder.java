package io.lockstep.order;

import java.util.List;

/** The order of the rows of one window. Takes about 4 bytes per row. Immutable and thread-safe. */
public final class WindowOrder {

    private final List<Slice> slices;
    private final int rows;

    /** The window row at each place; null if the rows are not shuffled. */
    private final int[] order;

    private final SliceIndex index;

    WindowOrder(List<Slice> slices, int rows, int[] order) {
        this.slices = slices;
        this.rows = rows;
        this.order = order;
        this.index = new SliceIndex(slices);
    }

    public int rows() {
        return rows;
    }

    /**
     * Returns the index, within the window, of the slice that provides the row at place {@code i}.
     */
    public int slice(int i) {
        return index.sliceOf(inSlices(i));
    }

    /** Returns the row, within its row group, at place {@code i}. */
    public long rowInGroup(int i) {
        int row = inSlices(i);
        return index.rowInGroup(index.sliceOf(row), row);
    }

    /**
     * Reads the places [from, from + count) in bulk.
     *
     * @param slice receives the index within the window of each place's slice, starting at index
     *     {@code at}
     * @param row receives each place's row within its row group, starting at index {@code at}
     */
    public void read(int from, int count, int[] slice, int[] row, int at) {
        for (int i = 0; i < count; i++) {
            int inSlices = inSlices(from + i);
            int found = index.sliceOf(inSlices);
            slice[at + i] = found;
            row[at + i] = (int) index.rowInGroup(found, inSlices);
        }
    }

    /** Returns the place of a row, or -1 if no slice contains it. Scans the slices once. */
    int indexOf(int rowGroup, long row) {
        for (int i = 0; i < slices.size(); i++) {
            Slice slice = slices.get(i);
            if (slice.holds(rowGroup, row)) {
                return placeOf(index.inSlices(i, row));
            }
        }
        return -1;
    }

    private int placeOf(int inSlices) {
        if (order == null) {
            return inSlices;
        }
        int place = 0;
        while (order[place] != inSlices) {
            place++;
        }
        return place;
    }

    private int inSlices(int i) {
        return order == null ? i : order[i];
    }
}
