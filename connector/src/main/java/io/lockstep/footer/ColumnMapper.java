package io.lockstep.footer;

import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Maps a Parquet schema to plain columns and lists.
 *
 * <p>Follows the format's backward compatibility rules (LogicalTypes, "Lists") for two-level lists
 * of old writers and for repeated fields outside of a list.
 */
final class ColumnMapper {

    /** The canonical name of list elements, so that files of different writers agree. */
    private static final String ELEMENT = "element";

    private ColumnMapper() {}

    /**
     * @param top a child of the schema's root
     * @param leaf the index of the first leaf below it
     */
    static FileColumn map(SchemaNode top, int leaf) throws UnsupportedTypeException {
        if (!top.isLeaf()) {
            return list(top, leaf);
        }
        ArrowType type = ArrowTypes.of(top);
        if (top.isRepeated()) {
            // A repeated field outside of a list: neither the list nor its elements can be null.
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

    /**
     * Returns the node of an element: the repeated node itself in two-level lists, else its child.
     */
    private static SchemaNode element(String list, SchemaNode repeated)
            throws UnsupportedTypeException {
        if (repeated.isLeaf()) {
            return repeated;
        }
        // With these names, a repeated group with a single field is itself the element.
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
