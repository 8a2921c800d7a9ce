package io.lockstep.order;

import java.util.List;

/**
 * Finds the slice that contains a row of a window in near-constant time, regardless of the number
 * of slices: a small table maps each block of rows to its first slice, and a short scan does the
 * rest.
 */
final class SliceIndex {

    /** Table blocks per slice, so that most blocks lie within one slice. */
    private static final int BLOCKS_PER_SLICE = 16;

    /** The number of rows of the window before each slice; the last entry is the total. */
    private final int[] starts;

    /** The offset to add to a row number within the window to get the row within its row group. */
    private final long[] shifts;

    /** The slice that contains the first row of each block of 2^{@link #blockBits} rows. */
    private final int[] sliceOfBlock;

    private final int blockBits;

    SliceIndex(List<Slice> slices) {
        starts = new int[slices.size() + 1];
        shifts = new long[slices.size()];
        for (int i = 0; i < shifts.length; i++) {
            Slice slice = slices.get(i);
            starts[i + 1] = starts[i] + (int) slice.rows();
            shifts[i] = slice.begin() - starts[i];
        }
        int rows = starts[shifts.length];
        int blockRows = Math.max(1, rows / (BLOCKS_PER_SLICE * shifts.length));
        blockBits = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(blockRows);
        sliceOfBlock = new int[((rows - 1) >>> blockBits) + 1];
        int slice = 0;
        for (int block = 0; block < sliceOfBlock.length; block++) {
            while (starts[slice + 1] <= block << blockBits) {
                slice++;
            }
            sliceOfBlock[block] = slice;
        }
    }

    /** Returns the slice that contains a row of the window. */
    int sliceOf(int row) {
        int slice = sliceOfBlock[row >>> blockBits];
        while (row >= starts[slice + 1]) {
            slice++;
        }
        return slice;
    }

    /** Returns the row within the row group for a row of the window that lies in {@code slice}. */
    long rowInGroup(int slice, int row) {
        return row + shifts[slice];
    }

    /** Returns the row of the window for a row of a slice. */
    int inSlices(int slice, long rowInGroup) {
        return (int) (rowInGroup - shifts[slice]);
    }
}
