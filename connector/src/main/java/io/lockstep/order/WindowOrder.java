package io.lockstep.order;

import java.util.List;

/** The rows of one window in their order: about 4 bytes a row. Immutable, thread-safe. */
public final class WindowOrder {

    private final List<Slice> slices;
    private final int rows;

    /** Row, counted over the slices, at each place; null where the rows stay as they are. */
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

    /** The slice, by its place in the window, from which place {@code i} takes its row. */
    public int slice(int i) {
        return index.sliceOf(inSlices(i));
    }

    /** The row, within the row group, at place {@code i}. */
    public long rowInGroup(int i) {
        int row = inSlices(i);
        return index.rowInGroup(index.sliceOf(row), row);
    }

    /**
     * Reads the places [from, from + count) at once.
     *
     * @param slice takes each place's slice, by its place in the window, from index {@code at} on
     * @param row takes each place's row within the row group, from index {@code at} on
     */
    public void read(int from, int count, int[] slice, int[] row, int at) {
        for (int i = 0; i < count; i++) {
            int inSlices = inSlices(from + i);
            int found = index.sliceOf(inSlices);
            slice[at + i] = found;
            row[at + i] = (int) index.rowInGroup(found, inSlices);
        }
    }

    /** The place of a row of one of the slices; -1 if none of them has it. One pass over them. */
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
