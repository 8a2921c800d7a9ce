package io.lockstep.manifest;

import java.io.Serializable;

/**
 * How to read columns that differ between the files of a dataset.
 *
 * @param fillMissing whether a column that a file lacks is null there; otherwise it is refused
 * @param widen whether a column of different types is read as the widest of them, if that holds all
 *     values exactly; otherwise it is refused
 */
public record SchemaRules(boolean fillMissing, boolean widen) implements Serializable {

    /** Refuses columns that differ. */
    public static final SchemaRules STRICT = new SchemaRules(false, false);
}
