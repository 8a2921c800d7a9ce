package io.lockstep.transform;

import io.lockstep.transform.registry.TransformRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows for tests of transforms. Closing it fails if memory is left over. */
public final class Table implements AutoCloseable {

    private final BufferAllocator allocator = new RootAllocator();
    private final List<FieldVector> vectors = new ArrayList<>();

    /** Adds a column; its type is that of the first value that is not null. */
    public Table column(String name, Object... values) {
        Object first = null;
        for (Object value : values) {
            first = first == null ? value : first;
        }
        FieldVector vector = Field.nullable(name, type(first)).createVector(allocator);
        vector.setInitialCapacity(values.length);
        vector.allocateNew();
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
                set(vector, i, values[i]);
            }
        }
        vector.setValueCount(values.length);
        return column(vector);
    }

    /** Adds a column of lists of whole numbers; null for a null list. */
    public Table lists(String name, Long[]... lists) {
        Field element = Field.nullable("element", new ArrowType.Int(64, true));
        FieldType type = FieldType.nullable(new ArrowType.List());
        ListVector vector =
                (ListVector) new Field(name, type, List.of(element)).createVector(allocator);
        vector.allocateNew();
        BigIntVector elements = (BigIntVector) vector.getDataVector();
        int next = 0;
        for (int row = 0; row < lists.length; row++) {
            if (lists[row] != null) {
                vector.startNewValue(row);
                for (Long value : lists[row]) {
                    if (value == null) {
                        elements.setNull(next++);
                    } else {
                        elements.setSafe(next++, value);
                    }
                }
                vector.endValue(row, lists[row].length);
            }
        }
        vector.setValueCount(lists.length);
        return column(vector);
    }

    /** Adds a column, which this table closes. */
    public Table column(FieldVector vector) {
        vectors.add(vector);
        return this;
    }

    public BufferAllocator allocator() {
        return allocator;
    }

    public Schema schema() {
        return new Schema(vectors.stream().map(FieldVector::getField).toList());
    }

    /** The rows, which this table closes. */
    public VectorSchemaRoot rows() {
        return new VectorSchemaRoot(List.copyOf(vectors));
    }

    /** Transforms the rows, which are gone afterwards. The caller closes the result. */
    public VectorSchemaRoot apply(TransformSpec... specs) {
        TransformChain chain = TransformRegistry.chain("train", List.of(specs));
        VectorSchemaRoot rows = new VectorSchemaRoot(List.copyOf(vectors));
        vectors.clear();
        return chain.apply(rows, allocator);
    }

    /** Like the other, for the rows of a step. */
    public VectorSchemaRoot apply(StepSamples samples, TransformSpec... specs) {
        TransformChain chain = TransformRegistry.chain(samples.stream(), List.of(specs));
        chain.schema(schema());
        VectorSchemaRoot rows = new VectorSchemaRoot(List.copyOf(vectors));
        vectors.clear();
        VectorSchemaRoot stored = chain.ofRowGroups().apply(rows, allocator);
        return chain.ofBatches().apply(stored, samples, allocator);
    }

    /** The values of a column. */
    public static List<Object> values(VectorSchemaRoot rows, String column) {
        List<Object> values = new ArrayList<>();
        FieldVector vector = rows.getVector(column);
        for (int i = 0; i < vector.getValueCount(); i++) {
            Object value = vector.getObject(i);
            values.add(vector instanceof VarCharVector && value != null ? value.toString() : value);
        }
        return values;
    }

    public static TransformSpec spec(String kind, String parameters) {
        return new TransformSpec(kind, kind, parameters.replace('\'', '"'));
    }

    private static ArrowType type(Object value) {
        if (value instanceof Float) {
            return new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
        }
        if (value instanceof Double) {
            return new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        }
        if (value instanceof Boolean) {
            return new ArrowType.Bool();
        }
        return value instanceof String ? new ArrowType.Utf8() : new ArrowType.Int(64, true);
    }

    private static void set(FieldVector vector, int row, Object value) {
        if (vector instanceof Float4Vector floats) {
            floats.set(row, (Float) value);
        } else if (vector instanceof Float8Vector doubles) {
            doubles.set(row, (Double) value);
        } else if (vector instanceof BitVector bits) {
            bits.set(row, (Boolean) value ? 1 : 0);
        } else if (vector instanceof VarCharVector texts) {
            texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
        } else {
            ((BigIntVector) vector).set(row, ((Number) value).longValue());
        }
    }

    @Override
    public void close() {
        vectors.forEach(FieldVector::close);
        allocator.close();
    }
}
