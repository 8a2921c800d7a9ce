package io.lockstep.batch;

import io.lockstep.UserException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of a batch as trainers receive them: the selected ones, then two of Lockstep's own.
 */
public final class Wire {

    /** The row's sample id, an unsigned 64-bit number. */
    public static final String SAMPLE = "_sample";

    /** 1 for a row that counts, 0 for padding, as an unsigned byte. */
    public static final String WEIGHT = "_weight";

    /** The bytes of these two columns per row. */
    public static final int ROW_BYTES = Long.BYTES + 1;

    private static final List<Field> OWN =
            List.of(
                    new Field(SAMPLE, FieldType.notNullable(new ArrowType.Int(64, false)), null),
                    new Field(WEIGHT, FieldType.notNullable(new ArrowType.Int(8, false)), null));

    private Wire() {}

    /**
     * Appends {@link #SAMPLE} and {@link #WEIGHT} to a schema.
     *
     * @throws UserException if a column has one of these names, the name of another column, or a
     *     type that a batch cannot hold
     */
    public static Schema schema(Schema columns) {
        Set<String> names = new HashSet<>();
        for (Field column : columns.getFields()) {
            String name = column.getName();
            if (OWN.stream().anyMatch(own -> own.getName().equals(name))) {
                throw refused(name, "a name that Lockstep uses for itself");
            }
            if (!names.add(name)) {
                throw refused(name, "the name of another column");
            }
        }
        List<Field> fields = new ArrayList<>(columns.getFields());
        fields.addAll(OWN);
        Schema wire = new Schema(fields, columns.getCustomMetadata());
        BatchShape.of(wire);
        return wire;
    }

    private static UserException refused(String name, String why) {
        return new UserException(
                "Column \"" + name + "\" has " + why + "; rename the column or leave it out.");
    }

    /** Returns the number of columns of a wire schema that come from the data. */
    static int dataColumns(Schema wire) {
        int columns = wire.getFields().size() - OWN.size();
        if (columns < 0 || !wire.getFields().subList(columns, columns + OWN.size()).equals(OWN)) {
            throw new IllegalArgumentException(
                    "Not a wire schema, which ends in " + OWN + ": " + wire);
        }
        return columns;
    }
}
