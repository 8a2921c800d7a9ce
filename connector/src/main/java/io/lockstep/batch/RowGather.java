package io.lockstep.batch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Gathers packed columns in two passes over small blocks of rows: first whole rows into memory that
 * fits in the nearest cache, then each column from there to its target.
 */
final class RowGather {

    private static final int BLOCK_BYTES = 16 << 10;

    private final RowLayout rows;

    /**
     * The number of rows per block: a multiple of 8, so that each block begins at a byte boundary
     * of every bitmap.
     */
    private final int block;

    RowGather(RowLayout rows) {
        this.rows = rows;
        this.block = Math.max(8, BLOCK_BYTES / Math.max(1, rows.stride()) & -8);
    }

    /**
     * Copies the columns of the selected rows to their places in the batch, and their validity bits
     * if the batch has a bitmap for the column.
     *
     * @param from by source, the address of its rows
     * @param selection one value per row
     * @param body the address of the batch's body
     * @param allocator allocates temporary memory for the first pass
     */
    void copy(
            long[] from,
            Selection selection,
            BodyLayout layout,
            long body,
            BufferAllocator allocator) {
        int stride = rows.stride();
        long most = Math.min(block, selection.runs());
        try (ArrowBuf lent = allocator.buffer(most * stride)) {
            long near = lent.memoryAddress();
            for (int first = 0; first < selection.runs(); first += block) {
                int count = Math.min(block, selection.runs() - first);
                for (int i = 0; i < count; i++) {
                    long row = selection.start[first + i];
                    MemoryUtil.copyMemory(
                            from[selection.source[first + i]] + row * stride,
                            near + (long) i * stride,
                            stride);
                }
                spread(near, first, count, layout, body);
            }
        }
    }

    private void spread(long near, int first, int count, BodyLayout layout, long body) {
        int stride = rows.stride();
        for (int i = 0; i < rows.columns().size(); i++) {
            Node column = rows.columns().get(i);
            int width = column.width();
            long to = body + layout.offset(column.dataBuffer()) + (long) first * width;
            StridedCopy.copy(near + rows.offset(i), stride, to, width, width, count);
            if (layout.nulls(column) > 0) {
                long bits = body + layout.offset(column.validityBuffer()) + (first >>> 3);
                StridedBits.collect(near + rows.bitOffset(i), stride, rows.bit(i), bits, count);
            }
        }
    }
}
