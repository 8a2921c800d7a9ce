package io.lockstep.transform;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A deterministic transform, run once for the rows of a row group before they are stored; after a
 * {@link BatchTransform}, for the rows of each step. Each row of the result must depend on the same
 * row of the input only, so that neither the cut into row groups nor their order can change it. It
 * must keep the number and the order of the rows.
 */
@PublicEvolving
public non-sealed interface RowGroupTransform extends Transform {

    /**
     * Whether it may fail on any rows of a correct schema, such as a function that is not known
     * before it is called. It is then tried on some rows when a run is planned.
     */
    default boolean isTriedOnSample() {
        return false;
    }

    /**
     * Transforms rows.
     *
     * @param rows the input, which the caller closes; buffers may be moved to the result, but their
     *     content must not be written
     * @param allocator allocates the result
     * @return rows of {@link #schema}, which the caller closes
     * @throws TransformException if a value cannot be transformed; the message names column and row
     */
    VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator);
}
