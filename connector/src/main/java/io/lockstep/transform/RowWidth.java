package io.lockstep.transform;

import org.apache.arrow.vector.BufferLayout;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The bits that a row takes in columns of fixed width. */
final class RowWidth {

    private RowWidth() {}

    /** Estimates the size of rows of one schema after they have been transformed to another. */
    static SizeEstimate difference(Schema from, Schema to) {
        long before = bits(from);
        long after = bits(to);
        return (bytes, rows) ->
                Math.max(after * rows / Byte.SIZE, bytes + (after - before) * rows / Byte.SIZE);
    }

    private static long bits(Schema schema) {
        return schema.getFields().stream().mapToLong(RowWidth::bits).sum();
    }

    /** Values of variable size count with their offset. */
    private static long bits(Field field) {
        long bits = 0;
        boolean variable = TypeLayout.getTypeLayout(field.getType()).getBufferLayouts().size() > 2;
        for (BufferLayout layout : TypeLayout.getTypeLayout(field.getType()).getBufferLayouts()) {
            boolean values = variable && layout.getType() == BufferLayout.BufferType.DATA;
            bits += values ? 0 : layout.getTypeBitWidth();
        }
        if (field.getType() instanceof ArrowType.FixedSizeList list) {
            bits += list.getListSize() * bits(field.getChildren().get(0));
        }
        return bits;
    }
}
