package io.lockstep.order;

import java.util.List;

/** The rows of one window in their order. Immutable. */
public final class WindowOrder {

    private final List<Slice> slices;
    private final int rows;

    /** Row, counted over the slices, at each place; null where the rows stay as they are. */
    private final int[] order;

    /** Rows before each slice, and after the last. */
    private final int[] before;

    WindowOrder(List<Slice> slices, int rows, int[] order) {
        this.slices = slices;
        this.rows = rows;
        this.order = order;
        this.before = new int[slices.size() + 1];
        for (int i = 0; i < slices.size(); i++) {
            before[i + 1] = before[i] + (int) slices.get(i).rows();
        }
    }

    public int rows() {
        return rows;
    }

    /** The slice, by its place in the window, from which place {@code i} takes its row. */
    public int slice(int i) {
        return sliceOf(order == null ? i : order[i]);
    }

    /** The row, within the row group, at place {@code i}. */
    public long rowInGroup(int i) {
        int row = order == null ? i : order[i];
        int slice = sliceOf(row);
        return slices.get(slice).begin() + row - before[slice];
    }

    /** The place of a row; -1 if the window does not have it. */
    int indexOf(int rowGroup, long row) {
        for (int i = 0; i < rows; i++) {
            if (slices.get(slice(i)).rowGroup() == rowGroup && rowInGroup(i) == row) {
                return i;
            }
        }
        return -1;
    }

    private int sliceOf(int row) {
        int low = 0;
        int high = slices.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (before[middle] <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
