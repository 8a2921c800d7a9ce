package io.lockstep.transform.column;

import io.lockstep.transform.TransformException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** A column of numbers or of fixed-size lists of numbers, as a number of values for each row. */
final class PackedColumn {

    private final FieldVector column;
    private final FieldVector elements;
    private final int width;

    PackedColumn(FieldVector column) {
        this.column = column;
        this.elements = column instanceof FixedSizeListVector list ? list.getDataVector() : column;
        this.width = width(column.getField());
    }

    /** Returns the field of its values. */
    static Field element(Field column) {
        if (column.getType() instanceof ArrowType.FixedSizeList) {
            Field child = column.getChildren().get(0);
            return new Field(column.getName(), child.getFieldType(), child.getChildren());
        }
        return column;
    }

    /** Returns the number of values of each row. */
    static int width(Field column) {
        return column.getType() instanceof ArrowType.FixedSizeList list ? list.getListSize() : 1;
    }

    int width() {
        return width;
    }

    int rows() {
        return column.getValueCount();
    }

    String name() {
        return column.getField().getName();
    }

    /** The values of all rows, one after the other. */
    FieldVector elements() {
        return elements;
    }

    boolean hasNulls() {
        return column.getNullCount() > 0 || elements.getNullCount() > 0;
    }

    /** Whether the i-th value of a row is missing. */
    boolean isNull(int row, int i) {
        return column.isNull(row) || elements.isNull(row * width + i);
    }

    void refuseNulls() {
        for (int row = 0; hasNulls() && row < rows(); row++) {
            for (int i = 0; i < width; i++) {
                if (isNull(row, i)) {
                    throw new TransformException(
                            String.format(
                                    "the column \"%s\" has a null in row %d of a row group; use fill"
                                            + " before, or set 'nulls: mask'",
                                    name(), row));
                }
            }
        }
    }
}
