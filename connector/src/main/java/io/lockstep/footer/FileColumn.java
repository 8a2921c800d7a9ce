package io.lockstep.footer;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A top-level column that Lockstep reads: a plain value, or a list of such.
 *
 * @param field the column in Arrow
 * @param leaf its place among the chunks of a row group
 * @param physical how its values are stored
 * @param levels what its definition levels mean
 */
public record FileColumn(Field field, int leaf, PhysicalType physical, Levels levels) {

    /**
     * The least definition levels at which something is there.
     *
     * @param list a list; 0 where it always is, and for a plain value
     * @param element a place of a list; 0 for a plain value
     * @param value a value that is not null; also the highest level
     */
    public record Levels(int list, int element, int value) {}

    public String name() {
        return field.getName();
    }

    public boolean isList() {
        return levels.element > 0;
    }

    /** The Arrow field of the values: the column, or the elements of its lists. */
    public Field values() {
        return isList() ? field.getChildren().get(0) : field;
    }

    /** The places of a fixed-size list, else -1. */
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
