package io.lockstep.cache;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Small, distinguishable row groups. */
final class Rows {

    private static final Schema SCHEMA =
            new Schema(
                    List.of(
                            Field.nullable("number", new ArrowType.Int(64, true)),
                            Field.nullable("text", new ArrowType.Utf8())));

    private Rows() {}

    /** Rows whose numbers count up from {@code first}; every third number is null. */
    static VectorSchemaRoot from(long first, int rows, BufferAllocator allocator) {
        VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
        BigIntVector numbers = (BigIntVector) root.getVector("number");
        VarCharVector texts = (VarCharVector) root.getVector("text");
        for (int i = 0; i < rows; i++) {
            if (i % 3 != 2) {
                numbers.setSafe(i, first + i);
            }
            texts.setSafe(i, ("row " + i).getBytes(StandardCharsets.UTF_8));
        }
        root.setRowCount(rows);
        return root;
    }
}
