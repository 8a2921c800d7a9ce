package io.lockstep.transform.column;

import io.lockstep.transform.TransformException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Creates columns of fixed-size lists, which are tensors [rows, size] in a batch. */
public final class FixedLists {

    private static final String ELEMENT = "element";

    private FixedLists() {}

    /** A column without nulls. */
    public static Field field(String name, int size, NumberType type) {
        Field element = new Field(ELEMENT, FieldType.notNullable(type.arrow()), null);
        return new Field(
                name, FieldType.notNullable(new ArrowType.FixedSizeList(size)), List.of(element));
    }

    /**
     * Creates a vector of such a column, with room for so many rows of zeros. The caller closes it.
     *
     * @throws TransformException if the row group has too many values for one vector
     */
    static FixedSizeListVector create(Field field, int rows, BufferAllocator allocator) {
        int size = ((ArrowType.FixedSizeList) field.getType()).getListSize();
        if ((long) rows * size > Integer.MAX_VALUE) {
            throw new TransformException(
                    String.format(
                            "a row group of %,d rows has too many values for \"%s\" of %,d values a"
                                    + " row; write smaller row groups",
                            rows, field.getName(), size));
        }
        FixedSizeListVector lists = (FixedSizeListVector) field.createVector(allocator);
        try {
            lists.setInitialCapacity(rows);
            lists.allocateNew();
            for (int row = 0; row < rows; row++) {
                lists.setNotNull(row);
            }
            lists.setValueCount(rows);
            Vectors.present((BaseFixedWidthVector) lists.getDataVector(), rows * size);
            return lists;
        } catch (Throwable t) {
            lists.close();
            throw t;
        }
    }
}
