package io.lockstep.transform.column;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Applies a function to the values of a column, or to the elements of its lists. */
public final class Elements {

    private Elements() {}

    /** Makes a vector of fixed width from another, value by value; the caller closes it. */
    @FunctionalInterface
    public interface Function {
        void fill(FieldVector from, FieldVector to);
    }

    public static boolean areLists(Field column) {
        return column.getType() instanceof ArrowType.List
                || column.getType() instanceof ArrowType.FixedSizeList;
    }

    /**
     * Checks that a column has lists.
     *
     * @throws TransformException that names the column and its type
     */
    public static void checkLists(Field column) {
        if (!areLists(column)) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", and this transform needs lists");
        }
    }

    /** Returns the field of the values: the column itself, or the elements of its lists. */
    public static Field of(Field column) {
        return areLists(column) ? column.getChildren().get(0) : column;
    }

    /** Returns a column of another type of values, with the same lists and nulls. */
    public static Field retyped(Field column, ArrowType type) {
        if (!areLists(column)) {
            return new Field(
                    column.getName(), new FieldType(column.isNullable(), type, null), null);
        }
        return new Field(
                column.getName(),
                column.getFieldType(),
                List.of(retyped(column.getChildren().get(0), type)));
    }

    /**
     * Makes a column of {@link #retyped} type.
     *
     * @param function fills in the values that are not null
     * @return which the caller closes
     */
    public static FieldVector map(
            FieldVector column, Field retyped, Function function, BufferAllocator allocator) {
        FieldVector made = retyped.createVector(allocator);
        try {
            boolean lists = areLists(column.getField());
            FieldVector from = lists ? elements(column) : column;
            FieldVector to = lists ? elements(made) : made;
            Vectors.present((BaseFixedWidthVector) to, from.getValueCount());
            Vectors.copyNulls(from, to);
            function.fill(from, to);
            if (lists) {
                shareLists(column, made);
            }
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    /** The index of the first element of a list. */
    public static int start(FieldVector lists, int row) {
        return lists instanceof ListVector variable
                ? variable.getElementStartIndex(row)
                : row * ((FixedSizeListVector) lists).getListSize();
    }

    /** The index after the last element of a list. */
    public static int end(FieldVector lists, int row) {
        return lists instanceof ListVector variable
                ? variable.getElementEndIndex(row)
                : (row + 1) * ((FixedSizeListVector) lists).getListSize();
    }

    /** All elements, one list after the other. */
    public static FieldVector elements(FieldVector lists) {
        return lists instanceof ListVector variable
                ? variable.getDataVector()
                : ((FixedSizeListVector) lists).getDataVector();
    }

    /** Shares the nulls and offsets of lists, whose elements are there already. */
    private static void shareLists(FieldVector from, FieldVector to) {
        ArrowFieldNode node = new ArrowFieldNode(from.getValueCount(), from.getNullCount());
        to.loadFieldBuffers(node, from.getFieldBuffers());
    }
}
