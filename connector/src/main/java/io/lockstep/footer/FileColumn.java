package io.lockstep.footer;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A top-level column that Lockstep can read: a plain value or a list of plain values.
 *
 * @param field the column as an Arrow field
 * @param leaf the index of its chunk in a row group
 * @param physical how the values are stored
 * @param levels the meaning of its definition levels
 */
public record FileColumn(Field field, int leaf, PhysicalType physical, Levels levels) {

    /**
     * The minimum definition levels at which a part of the value is present.
     *
     * @param list a list; 0 if it is never null, and for a plain value
     * @param element an element of a list; 0 for a plain value
     * @param value a non-null value; also the maximum level
     */
    public record Levels(int list, int element, int value) {}

    public String name() {
        return field.getName();
    }

    public boolean isList() {
        return levels.element > 0;
    }

    /** Returns the Arrow field of the values: the column itself or the elements of its lists. */
    public Field values() {
        return isList() ? field.getChildren().get(0) : field;
    }

    /** Returns the list size of a fixed-size list, else -1. */
    public int fixedListSize() {
        return field.getType() instanceof ArrowType.FixedSizeList list ? list.getListSize() : -1;
    }

    public int maxRepetitionLevel() {
        return isList() ? 1 : 0;
    }

    FileColumn withField(Field other) {
        return new FileColumn(other, leaf, physical, levels);
    }
}
