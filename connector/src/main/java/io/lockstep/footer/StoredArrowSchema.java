package io.lockstep.footer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * The Arrow schema that Arrow's writers store next to Parquet's own schema, under the key {@code
 * ARROW:schema}, as an encapsulated IPC message in Base64. It contains what Parquet's types cannot
 * express: the size of fixed-size lists, time zones and durations.
 */
final class StoredArrowSchema {

    private static final int CONTINUATION = 0xFFFFFFFF;

    private StoredArrowSchema() {}

    /**
     * Returns the fields that can be parsed, by name. The others fall back to Parquet's own schema.
     */
    static Map<String, Field> fields(String base64) {
        Map<String, Field> fields = new HashMap<>();
        if (base64.isEmpty()) {
            return fields;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            Schema schema = parse(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
            // A field takes at least four bytes; this bounds the loop if the length is damaged.
            int length = Math.min(schema.fieldsLength(), bytes.length / Integer.BYTES);
            for (int i = 0; i < length; i++) {
                add(schema.fields(i), fields);
            }
        } catch (RuntimeException e) {
            return Map.of();
        }
        return fields;
    }

    private static Schema parse(ByteBuffer message) {
        // Arrow before 0.15 did not write a continuation marker.
        int prefix = message.getInt(0) == CONTINUATION ? 2 * Integer.BYTES : Integer.BYTES;
        ByteBuffer table = message.position(prefix).slice();
        return (Schema) Message.getRootAsMessage(table).header(new Schema());
    }

    private static void add(org.apache.arrow.flatbuf.Field stored, Map<String, Field> fields) {
        try {
            Field field = Field.convertField(stored);
            fields.put(field.getName(), field);
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            // A type that is unknown to this version of Arrow.
            fields.remove(stored.name());
        }
    }

    /** Returns the column, extended by the stored field if it is not null. */
    static FileColumn restore(FileColumn column, @Nullable Field stored) {
        return stored == null ? column : column.withField(restore(column.field(), stored));
    }

    private static Field restore(Field field, Field stored) {
        ArrowType type = restore(field.getType(), stored.getType());
        List<Field> children = field.getChildren();
        if (children.size() == 1 && stored.getChildren().size() == 1) {
            children = List.of(restore(children.get(0), stored.getChildren().get(0)));
        }
        return new Field(field.getName(), new FieldType(field.isNullable(), type, null), children);
    }

    private static ArrowType restore(ArrowType type, ArrowType stored) {
        if (type instanceof ArrowType.List
                && stored instanceof ArrowType.FixedSizeList list
                && list.getListSize() >= 0) {
            return stored;
        }
        if (type instanceof ArrowType.Timestamp ours
                && stored instanceof ArrowType.Timestamp theirs
                && ours.getTimezone() != null
                && theirs.getTimezone() != null) {
            return new ArrowType.Timestamp(ours.getUnit(), theirs.getTimezone());
        }
        if (type instanceof ArrowType.Int number
                && number.getBitWidth() == Long.SIZE
                && number.getIsSigned()
                && stored instanceof ArrowType.Duration) {
            return stored;
        }
        return type;
    }
}
