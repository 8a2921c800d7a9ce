package io.lockstep.footer;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.PrimitiveType;

/**
 * A top-level column that Lockstep reads: a plain value, or a list of such.
 *
 * @param field the column in Arrow
 * @param leaf its place among the chunks of a row group
 * @param descriptor its values in Parquet
 * @param listLevel least definition level at which a list is there, 0 where it always is; of no
 *     meaning for a plain value
 * @param elementLevel least definition level at which a list has a place for an element; of no
 *     meaning for a plain value
 */
public record FileColumn(
        Field field, int leaf, ColumnDescriptor descriptor, int listLevel, int elementLevel) {

    public String name() {
        return field.getName();
    }

    public boolean isList() {
        return !field.getChildren().isEmpty();
    }

    /** The Arrow field of the values: the column, or the elements of its lists. */
    public Field values() {
        return isList() ? field.getChildren().get(0) : field;
    }

    /** The places of a fixed-size list, else -1. */
    public int fixedListSize() {
        return field.getType() instanceof ArrowType.FixedSizeList list ? list.getListSize() : -1;
    }

    /** The definition level of a value that is not null. */
    public int definedLevel() {
        return descriptor.getMaxDefinitionLevel();
    }

    public PrimitiveType primitive() {
        return descriptor.getPrimitiveType();
    }

    FileColumn withField(Field other) {
        return new FileColumn(other, leaf, descriptor, listLevel, elementLevel);
    }
}
