package io.lockstep.footer;

import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

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
     * @param top a child of the root
     * @param leaf the number of the first leaf under it
     */
    static FileColumn map(SchemaNode top, int leaf) throws UnsupportedTypeException {
        if (!top.isLeaf()) {
            return list(top, leaf);
        }
        ArrowType type = ArrowTypes.of(top);
        if (top.isRepeated()) {
            // A repeated field outside a list: neither the list nor its elements can be null.
            Field field = listField(top.name(), false, type, false);
            return new FileColumn(
                    field, leaf, PhysicalType.of(top), new FileColumn.Levels(0, 1, 1));
        }
        Field field = field(top.name(), top.isOptional(), type, null);
        int defined = top.isOptional() ? 1 : 0;
        return new FileColumn(
                field, leaf, PhysicalType.of(top), new FileColumn.Levels(0, 0, defined));
    }

    private static FileColumn list(SchemaNode group, int leaf) throws UnsupportedTypeException {
        if (!group.isList()
                || group.isRepeated()
                || group.children().size() != 1
                || !group.children().get(0).isRepeated()) {
            throw new UnsupportedTypeException("is a " + describe(group));
        }
        SchemaNode repeated = group.children().get(0);
        SchemaNode element = element(group.name(), repeated);
        Field field =
                listField(
                        group.name(),
                        group.isOptional(),
                        ArrowTypes.of(element),
                        element.isOptional());
        int listLevel = group.isOptional() ? 1 : 0;
        int elementLevel = listLevel + 1;
        int defined = elementLevel + (element.isOptional() ? 1 : 0);
        return new FileColumn(
                field,
                leaf,
                PhysicalType.of(element),
                new FileColumn.Levels(listLevel, elementLevel, defined));
    }

    /** The node of one element: of two levels the repeated one itself, else the one inside. */
    private static SchemaNode element(String list, SchemaNode repeated)
            throws UnsupportedTypeException {
        if (repeated.isLeaf()) {
            return repeated;
        }
        // Under these names the repeated group of one field is itself the element.
        boolean struct = repeated.name().equals("array") || repeated.name().equals(list + "_tuple");
        if (struct || repeated.children().size() != 1) {
            throw new UnsupportedTypeException("is a list of structs");
        }
        SchemaNode inner = repeated.children().get(0);
        if (!inner.isLeaf()) {
            throw new UnsupportedTypeException(
                    "is a list of " + (inner.isList() ? "list" : describe(inner)) + "s");
        }
        if (inner.isRepeated()) {
            throw new UnsupportedTypeException("is a list of lists");
        }
        return inner;
    }

    private static String describe(SchemaNode group) {
        if (group.isList()) {
            return "list of another form than Parquet's";
        }
        return group.isMap() ? "map" : "struct";
    }

    private static Field listField(
            String name, boolean nullable, ArrowType element, boolean nullableElement) {
        Field child = field(ELEMENT, nullableElement, element, null);
        return field(name, nullable, ArrowType.List.INSTANCE, List.of(child));
    }

    private static Field field(
            String name, boolean nullable, ArrowType type, List<Field> children) {
        return new Field(name, new FieldType(nullable, type, null), children);
    }
}
