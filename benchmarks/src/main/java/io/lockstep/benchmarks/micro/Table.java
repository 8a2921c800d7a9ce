package io.lockstep.benchmarks.micro;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** The comparison's table in memory: 41 floats and 11 integers per row. */
final class Table {

    static final int ROWS = 50_000;
    static final Schema SCHEMA = schema();

    private Table() {}

    private static Schema schema() {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < 41; i++) {
            fields.add(field("f" + i, new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)));
        }
        for (int i = 0; i < 11; i++) {
            fields.add(field("i" + i, new ArrowType.Int(64, true)));
        }
        return new Schema(fields);
    }

    private static Field field(String name, ArrowType type) {
        return new Field(name, FieldType.notNullable(type), null);
    }

    /** The caller closes it. */
    static VectorSchemaRoot rowGroup(BufferAllocator allocator) {
        VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
        for (FieldVector vector : root.getFieldVectors()) {
            vector.setInitialCapacity(ROWS);
            vector.allocateNew();
            for (int row = 0; row < ROWS; row++) {
                if (vector instanceof Float4Vector floats) {
                    floats.set(row, row);
                } else {
                    ((BigIntVector) vector).set(row, row);
                }
            }
            vector.setValueCount(ROWS);
        }
        root.setRowCount(ROWS);
        return root;
    }
}
