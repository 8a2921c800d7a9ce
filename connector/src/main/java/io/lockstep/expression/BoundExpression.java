package io.lockstep.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.flink.annotation.PublicEvolving;

/** An expression over columns of known types. Thread-safe. */
@PublicEvolving
public final class BoundExpression {

    private final String text;
    private final Node root;
    private final List<String> columns;

    BoundExpression(String text, Binder.Bound bound) {
        this.text = text;
        this.root = bound.root();
        this.columns = bound.columns();
    }

    /** Whether its values are true, false or null. */
    public boolean isCondition() {
        return root.type().is(Type.Kind.BOOLEAN);
    }

    /** The column that {@link #evaluate} makes. */
    public Field field(String name) {
        ArrowType type = root.type().arrow();
        return root.isNullable() ? Field.nullable(name, type) : Field.notNullable(name, type);
    }

    /**
     * Computes the values of all rows.
     *
     * @param rows have the columns of the schema, with the same types; they are only read
     * @return a vector of {@link #field}, which the caller closes
     * @throws ExpressionException if a value cannot be computed; the message names the row
     */
    public FieldVector evaluate(VectorSchemaRoot rows, String name, BufferAllocator allocator) {
        FieldVector vector = field(name).createVector(allocator);
        try {
            VectorWriter writer = VectorWriter.of(vector, rows.getRowCount());
            evaluate(rows, allocator, (chunk, values) -> writer.write(chunk, values));
            vector.setValueCount(rows.getRowCount());
            return vector;
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    /**
     * Returns the rows for which a condition is true, ascending.
     *
     * @param allocator for temporary memory
     * @throws ExpressionException if a value cannot be computed; the message names the row
     * @throws IllegalStateException if it is no condition
     */
    public int[] select(VectorSchemaRoot rows, BufferAllocator allocator) {
        if (!isCondition()) {
            throw new IllegalStateException("'" + text + "' is no condition");
        }
        int[] selected = new int[rows.getRowCount()];
        int[] count = new int[1];
        evaluate(
                rows,
                allocator,
                (chunk, values) -> {
                    for (int i = 0; i < chunk.size(); i++) {
                        selected[count[0]] = chunk.row(i);
                        count[0] += values.booleans()[i] && !values.isNull(i) ? 1 : 0;
                    }
                });
        return Arrays.copyOf(selected, count[0]);
    }

    private void evaluate(
            VectorSchemaRoot rows, BufferAllocator allocator, BiConsumer<Chunk, Values> consumer) {
        List<FieldVector> vectors = new ArrayList<>();
        for (String column : columns) {
            vectors.add(rows.getVector(column));
        }
        try (Evaluation evaluation = new Evaluation(vectors, allocator)) {
            for (int from = 0; from < rows.getRowCount(); from += Chunk.ROWS) {
                int size = Math.min(Chunk.ROWS, rows.getRowCount() - from);
                Chunk chunk = new Chunk(evaluation, from, size);
                consumer.accept(chunk, root.evaluate(chunk, null));
            }
        } catch (Problem e) {
            throw e.in(text);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
