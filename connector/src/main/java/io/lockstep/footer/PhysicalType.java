package io.lockstep.footer;

import org.apache.parquet.format.Type;

/**
 * How the values of a leaf are stored.
 *
 * @param type the Parquet type
 * @param length the size of a value in bytes, for {@code FIXED_LEN_BYTE_ARRAY} only
 */
public record PhysicalType(Type type, int length) {

    static PhysicalType of(SchemaNode leaf) {
        return new PhysicalType(leaf.element().getType(), leaf.element().getType_length());
    }
}
