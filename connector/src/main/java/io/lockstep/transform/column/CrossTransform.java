package io.lockstep.transform.column;

import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds the bucket of several values together. */
final class CrossTransform extends AddingTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<String> INTO =
            Parameter.required("into", ParameterType.TEXT, "The name of the new column.");

    static final Kind KIND =
            Kind.of(
                    "cross",
                    "Adds an int64 column with the bucket of several columns together: `XXH3_64(h1 ++"
                            + " h2 ++ ...) mod buckets`, where each h is the XXH3_64 of the column's"
                            + " value as in `hash`, as 8 little-endian bytes, and 0 for a null.",
                    List.of(ColumnKinds.COLUMNS, INTO, HashTransform.BUCKETS),
                    CrossTransform::new);

    private final Columns columns;
    private final String into;
    private final int buckets;

    private CrossTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
        this.into = parameters.get(INTO);
        this.buckets = parameters.get(HashTransform.BUCKETS);
    }

    @Override
    List<Added> added(Schema schema) {
        List<String> crossed = columns.in(schema);
        if (crossed.size() < 2) {
            throw new TransformException("it needs at least two columns; use hash for one");
        }
        crossed.forEach(column -> ValueHash.check(column, schema.findField(column)));
        Field made = new Field(into, FieldType.notNullable(NumberType.INT64.arrow()), null);
        return List.of(
                new Added(
                        made, (rows, field, allocator) -> cross(rows, crossed, field, allocator)));
    }

    private FieldVector cross(
            VectorSchemaRoot rows, List<String> crossed, Field field, BufferAllocator allocator) {
        List<FieldVector> vectors = crossed.stream().map(rows::getVector).toList();
        List<ValueHash> hashes = vectors.stream().map(ValueHash::of).toList();
        FieldVector made = Vectors.fixed(field, rows.getRowCount(), allocator);
        ByteBuffer together =
                ByteBuffer.allocate(crossed.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < rows.getRowCount(); row++) {
            for (int i = 0; i < vectors.size(); i++) {
                long hash = vectors.get(i).isNull(row) ? 0 : hashes.get(i).hash(row);
                together.putLong(i * Long.BYTES, hash);
            }
            long bucket = ValueHash.bucket(ValueHash.of(together.array()), buckets);
            MemoryUtil.putLong(made.getDataBufferAddress() + (long) row * Long.BYTES, bucket);
        }
        return made;
    }
}
