package io.lockstep.footer;

import org.apache.parquet.format.Type;

/**
 * How a leaf's values are stored.
 *
 * @param type Parquet's type
 * @param length bytes of a value, for {@code FIXED_LEN_BYTE_ARRAY} only
 */
public record PhysicalType(Type type, int length) {

    static PhysicalType of(SchemaNode leaf) {
        return new PhysicalType(leaf.element().getType(), leaf.element().getType_length());
    }
}
