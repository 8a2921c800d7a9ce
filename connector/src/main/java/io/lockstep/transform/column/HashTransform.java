package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Replaces values by the buckets of their hashes. */
final class HashTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    static final Parameter<Integer> BUCKETS =
            Parameter.required("buckets", ParameterType.integer(1), "The number of buckets.");

    static final Kind KIND =
            Kind.of(
                    "hash",
                    "Replaces texts, whole numbers and booleans by an int64 bucket: `XXH3_64(bytes) mod"
                            + " buckets`, the hash without a seed and unsigned, of the UTF-8 bytes of"
                            + " a text or the 8 little-endian bytes of a number. In lists, each"
                            + " element. Nulls stay null.",
                    List.of(ColumnKinds.COLUMNS, BUCKETS),
                    HashTransform::new);

    private final int buckets;

    private HashTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
        this.buckets = parameters.get(BUCKETS);
    }

    @Override
    protected Field replacement(Field column) {
        ValueHash.check(column.getName(), Elements.of(column));
        return Elements.retyped(column, NumberType.INT64.arrow());
    }

    @Override
    protected FieldVector replace(
            FieldVector values, Field replacement, BufferAllocator allocator) {
        return Elements.map(values, replacement, this::fill, allocator);
    }

    private void fill(FieldVector from, FieldVector to) {
        ValueHash hashes = ValueHash.of(from);
        long address = to.getDataBufferAddress();
        boolean nulls = from.getNullCount() > 0;
        for (int i = 0; i < from.getValueCount(); i++) {
            if (!nulls || !from.isNull(i)) {
                long bucket = ValueHash.bucket(hashes.hash(i), buckets);
                MemoryUtil.putLong(address + (long) i * Long.BYTES, bucket);
            }
        }
    }
}
