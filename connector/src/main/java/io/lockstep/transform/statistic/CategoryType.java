package io.lockstep.transform.statistic;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.DoubleValues;
import io.lockstep.transform.column.Elements;
import io.lockstep.transform.column.ValueHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** What the values of a column of categories are, and their bytes in a {@link KeySet}. */
public enum CategoryType {
    /** Their UTF-8 bytes. */
    TEXT,
    /** Whole numbers and booleans: 8 bytes, little-endian. */
    INTEGER,
    /** The bits of their float64, as 8 bytes; NaN counts as no value. */
    FLOAT;

    /** Reads the bytes of values that are not null. Not thread-safe. */
    @FunctionalInterface
    interface Keys {
        /** Returns the bytes; null if the value does not count. */
        byte[] get(int row);
    }

    /**
     * Returns the type of a column, or of the elements of its lists.
     *
     * @throws TransformException if it has no categories
     */
    public static CategoryType of(Field column) {
        ArrowType type = Elements.of(column).getType();
        return switch (type.getTypeID()) {
            case Utf8 -> TEXT;
            case Int, Bool -> INTEGER;
            case FloatingPoint -> FLOAT;
            default ->
                    throw new TransformException(
                            "the column \""
                                    + column.getName()
                                    + "\" is of type "
                                    + TypeNames.of(column)
                                    + ", and this transform needs texts, numbers or booleans");
        };
    }

    /** Reads the bytes of a vector of values or elements, which must stay open and unchanged. */
    static Keys keys(FieldVector values) {
        if (!(values.getField().getType() instanceof ArrowType.FloatingPoint)) {
            ValueHash texts = ValueHash.of(values);
            return texts::bytes;
        }
        DoubleValues numbers = DoubleValues.of(values);
        ByteBuffer buffer = ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return row -> {
            double value = numbers.get(row) + 0.0;
            return value == value ? buffer.putDouble(0, value).array() : null;
        };
    }

    /** The value of its bytes: a text, a Long or a Double. */
    Object value(byte[] key) {
        return switch (this) {
            case TEXT -> new String(key, StandardCharsets.UTF_8);
            case INTEGER -> buffer(key).getLong();
            case FLOAT -> buffer(key).getDouble();
        };
    }

    /** Compares two keys by their values: texts by their bytes, numbers by size. */
    int compare(KeySet keys, int first, int second) {
        return switch (this) {
            case TEXT -> keys.compare(first, second);
            case INTEGER ->
                    Long.compare(
                            buffer(keys.get(first)).getLong(), buffer(keys.get(second)).getLong());
            case FLOAT ->
                    Double.compare(
                            buffer(keys.get(first)).getDouble(),
                            buffer(keys.get(second)).getDouble());
        };
    }

    private static ByteBuffer buffer(byte[] key) {
        return ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
    }
}
