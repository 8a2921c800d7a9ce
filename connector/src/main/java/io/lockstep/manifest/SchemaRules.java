package io.lockstep.manifest;

import java.io.Serializable;
import java.util.Map;

/**
 * How to read columns that differ between the files of a dataset.
 *
 * @param fillMissing whether a column that a file lacks is null there; otherwise it is refused
 * @param widen whether a column of different types is read as the widest of them, if that holds all
 *     values exactly; otherwise it is refused
 * @param partitions the types of columns from folder names; the others get theirs from the values
 */
public record SchemaRules(boolean fillMissing, boolean widen, Map<String, PartitionType> partitions)
        implements Serializable {

    /** Refuses columns that differ. */
    public static final SchemaRules STRICT = new SchemaRules(false, false, Map.of());

    public SchemaRules {
        partitions = Map.copyOf(partitions);
    }
}
