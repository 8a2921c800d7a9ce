package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Replaces nulls by a constant. */
public final class FillTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    private final Constant value;

    public FillTransform(TransformSpec spec, List<String> columns, Constant value) {
        super(spec, 1, columns);
        this.value = value;
    }

    @Override
    protected Field replacement(Field column) {
        return Filling.replacement(column, value);
    }

    @Override
    protected FieldVector replace(
            FieldVector values, Field replacement, BufferAllocator allocator) {
        return Filling.replace(values, replacement, value, allocator);
    }
}
