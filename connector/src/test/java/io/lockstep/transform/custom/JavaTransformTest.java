package io.lockstep.transform.custom;

import static io.lockstep.transform.Table.spec;
import static io.lockstep.transform.Table.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.Table;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.registry.TransformRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

/** A user's class is found by its name and gets its parameters; each mistake is one message. */
class JavaTransformTest {

    private static final String ADDED = "io.lockstep.transform.custom.JavaTransformTest$Added";

    @Test
    void aClassGetsItsParameters() {
        try (Table table = new Table().column("n", 1L, 2L);
                VectorSchemaRoot rows =
                        table.apply(spec("java", "{'class': '" + ADDED + "', 'by': 10}"))) {
            assertThat(values(rows, "n")).containsExactly(11L, 12L);
        }
    }

    @Test
    void mistakesAreNamed() {
        refused("'com.example.None'", "the class com.example.None cannot be loaded");
        refused("'java.lang.String'", "the class java.lang.String is no RowGroupTransform");
        refused("{'by': 1}", "its parameters must be the name of a class");
        refused("{'class': '" + ADDED + "'}", "'by' is missing");
        refused(
                "{'class': '" + ADDED + "', 'by': 'x'}",
                "the constructor of",
                "ClassCastException");
        refused("'" + ADDED.replace("Added", "Hidden") + "'", "needs a public constructor");
    }

    private static void refused(String parameters, String... messages) {
        assertThatThrownBy(
                        () -> TransformRegistry.chain("train", List.of(spec("java", parameters))))
                .isInstanceOf(TransformException.class)
                .hasMessageStartingWith("The transform 'java': ")
                .hasMessageContainingAll(messages);
    }

    /** Adds a number to the column n. */
    public static final class Added implements RowGroupTransform {

        private final long by;

        public Added(Map<String, Object> parameters) {
            if (!parameters.containsKey("by")) {
                throw new TransformException("'by' is missing");
            }
            this.by = ((Number) parameters.get("by")).longValue();
        }

        @Override
        public String description() {
            return "Added/1 " + by;
        }

        @Override
        public Schema schema(Schema columns) {
            return columns;
        }

        @Override
        public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
            BigIntVector from = (BigIntVector) rows.getVector("n");
            BigIntVector to = new BigIntVector(from.getField(), allocator);
            to.allocateNew(rows.getRowCount());
            for (int row = 0; row < rows.getRowCount(); row++) {
                to.set(row, from.get(row) + by);
            }
            to.setValueCount(rows.getRowCount());
            return new VectorSchemaRoot(new ArrayList<FieldVector>(List.of(to)));
        }
    }

    /** Has no public constructor. */
    public static final class Hidden implements RowGroupTransform {

        private Hidden() {}

        @Override
        public String description() {
            return "hidden";
        }

        @Override
        public Schema schema(Schema columns) {
            return columns;
        }

        @Override
        public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
            return rows;
        }
    }
}
