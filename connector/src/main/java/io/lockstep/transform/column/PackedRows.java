package io.lockstep.transform.column;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes vectors of fixed-size lists from columns. The caller closes them. */
final class PackedRows {

    /** So many rows of results stay in a core's cache while all columns write to them. */
    private static final int BLOCK_BYTES = 64 << 10;

    private PackedRows() {}

    /** Returns the values; those that are null are 0. */
    static FieldVector values(
            List<PackedColumn> columns, Field field, NumberType type, BufferAllocator allocator) {
        int rows = columns.get(0).rows();
        FixedSizeListVector lists = FixedLists.create(field, rows, allocator);
        try {
            int valueWidth = NumberWriter.of(type).width();
            long stride = (long) lists.getListSize() * valueWidth;
            int block = (int) Math.max(1, BLOCK_BYTES / stride);
            List<ColumnCopy> copies =
                    columns.stream().map(column -> new ColumnCopy(column, type)).toList();
            for (int first = 0; first < rows; first += block) {
                int end = Math.min(rows, first + block);
                long to = lists.getDataVector().getDataBufferAddress() + first * stride;
                for (ColumnCopy copy : copies) {
                    copy.copy(first, end, to, stride);
                    to += (long) copy.width() * valueWidth;
                }
            }
            return lists;
        } catch (Throwable t) {
            lists.close();
            throw t;
        }
    }

    /** Returns 1 for each value that is present, 0 for each null. */
    static FieldVector mask(List<PackedColumn> columns, Field field, BufferAllocator allocator) {
        int rows = columns.get(0).rows();
        FixedSizeListVector lists = FixedLists.create(field, rows, allocator);
        long first = lists.getDataVector().getDataBufferAddress();
        for (PackedColumn column : columns) {
            for (int row = 0; row < rows; row++) {
                long to = first + (long) row * lists.getListSize();
                for (int i = 0; i < column.width(); i++) {
                    boolean present = !column.hasNulls() || !column.isNull(row, i);
                    MemoryUtil.putByte(to + i, (byte) (present ? 1 : 0));
                }
            }
            first += column.width();
        }
        return lists;
    }
}
