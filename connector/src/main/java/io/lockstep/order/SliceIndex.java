package io.lockstep.order;

import java.util.List;

/**
 * Finds the slice of a window's row in a few instructions, whatever the number of slices: a small
 * table gives the slice in which each block of rows begins, and from there it is a step or two.
 */
final class SliceIndex {

    /** Blocks of the table for each slice, so that most blocks lie within one slice. */
    private static final int BLOCKS_PER_SLICE = 16;

    /** Rows of the window before each slice, and their total at the end. */
    private final int[] starts;

    /** What to add to a row, counted over the slices, to get its row within the row group. */
    private final long[] shifts;

    /** The slice of the first row of each block of 2^{@link #blockBits} rows. */
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

    /** The slice that holds a row, counted over the slices. */
    int sliceOf(int row) {
        int slice = sliceOfBlock[row >>> blockBits];
        while (row >= starts[slice + 1]) {
            slice++;
        }
        return slice;
    }

    /** The row within its row group of a row of a slice, counted over the slices. */
    long rowInGroup(int slice, int row) {
        return row + shifts[slice];
    }

    /** A row of a slice, counted over the slices. */
    int inSlices(int slice, long rowInGroup) {
        return (int) (rowInGroup - shifts[slice]);
    }
}
