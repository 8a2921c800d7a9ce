package io.lockstep.transform;

import java.io.Serializable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A deterministic transform of the rows of a row group, run once before they are stored. Each row
 * of the result must depend on the same row of the input only, so that neither the cut into row
 * groups nor their order can change it. It must keep the number and the order of the rows.
 *
 * <p>Implementations are immutable and thread-safe: row groups are transformed concurrently.
 */
@PublicEvolving
public interface RowGroupTransform extends Serializable {

    /**
     * A single line with everything that affects the result: kind, version, parameters and fitted
     * statistics. It is part of the cache's key and of the digest in saved states, so a transform
     * with another result needs another description.
     */
    String description();

    /**
     * Returns the columns of the result. Called when a run is planned, without rows.
     *
     * @throws TransformException if the transform cannot be applied to these columns; the message
     *     names the column
     */
    Schema schema(Schema columns);

    /**
     * Returns how to estimate the memory of the result. Called once for all row groups. The default
     * adds what the fixed-width columns of the result take beyond those of the input.
     *
     * @param columns of the input
     */
    default SizeEstimate size(Schema columns) {
        return RowWidth.difference(columns, schema(columns));
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
