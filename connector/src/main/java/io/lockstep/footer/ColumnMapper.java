package io.lockstep.footer;

import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/**
 * Finds plain columns and lists in a Parquet schema.
 *
 * <p>Lists of two levels, which old writers made, and repeated fields outside any list are taken as
 * the format's rules for backward compatibility say (LogicalTypes, "Lists").
 */
final class ColumnMapper {

    /** The one name for elements, whatever the writer called them, so that files agree. */
    private static final String ELEMENT = "element";

    private ColumnMapper() {}

    /**
     * @param top a field of the message
     * @param leaf the number of the first leaf under it
     */
    static FileColumn map(MessageType message, Type top, int leaf) throws UnsupportedTypeException {
        if (top.isPrimitive()) {
            ArrowType type = ArrowTypes.of(top.asPrimitiveType());
            ColumnDescriptor descriptor = message.getColumns().get(leaf);
            if (top.isRepetition(Repetition.REPEATED)) {
                // A repeated field outside a list: neither the list nor its elements can be null.
                return list(top.getName(), false, type, false, leaf, descriptor, 0, 1);
            }
            Field field = field(top.getName(), !top.isRepetition(Repetition.REQUIRED), type, null);
            return new FileColumn(field, leaf, descriptor, 0, 0);
        }
        GroupType group = top.asGroupType();
        LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
        if (!(logical instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation)
                || group.isRepetition(Repetition.REPEATED)
                || group.getFieldCount() != 1
                || !group.getType(0).isRepetition(Repetition.REPEATED)) {
            throw new UnsupportedTypeException("is a " + describe(group));
        }
        Type element = element(group.getName(), group.getType(0));
        ArrowType type = ArrowTypes.of(element.asPrimitiveType());
        boolean nullableList = group.isRepetition(Repetition.OPTIONAL);
        boolean nullableElement = element.isRepetition(Repetition.OPTIONAL);
        int listLevel = nullableList ? 1 : 0;
        ColumnDescriptor descriptor = message.getColumns().get(leaf);
        return list(
                top.getName(),
                nullableList,
                type,
                nullableElement,
                leaf,
                descriptor,
                listLevel,
                listLevel + 1);
    }

    /** The field of one element: of two levels the repeated one itself, else the one inside. */
    private static Type element(String list, Type repeated) throws UnsupportedTypeException {
        if (repeated.isPrimitive()) {
            return repeated;
        }
        GroupType group = repeated.asGroupType();
        // Under these names the repeated group of one field is itself the element.
        boolean struct = group.getName().equals("array") || group.getName().equals(list + "_tuple");
        if (struct || group.getFieldCount() != 1) {
            throw new UnsupportedTypeException("is a list of structs");
        }
        Type inner = group.getType(0);
        if (!inner.isPrimitive()) {
            throw new UnsupportedTypeException(
                    "is a list of " + describe(inner.asGroupType()) + "s");
        }
        if (inner.isRepetition(Repetition.REPEATED)) {
            throw new UnsupportedTypeException("is a list of lists");
        }
        return inner;
    }

    private static String describe(GroupType group) {
        LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
        if (logical instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation) {
            return "list";
        }
        if (logical instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation
                || logical instanceof LogicalTypeAnnotation.MapKeyValueTypeAnnotation) {
            return "map";
        }
        return "struct";
    }

    private static FileColumn list(
            String name,
            boolean nullable,
            ArrowType element,
            boolean nullableElement,
            int leaf,
            ColumnDescriptor descriptor,
            int listLevel,
            int elementLevel) {
        Field child = field(ELEMENT, nullableElement, element, null);
        Field field = field(name, nullable, ArrowType.List.INSTANCE, List.of(child));
        return new FileColumn(field, leaf, descriptor, listLevel, elementLevel);
    }

    private static Field field(
            String name, boolean nullable, ArrowType type, List<Field> children) {
        return new Field(name, new FieldType(nullable, type, null), children);
    }
}
