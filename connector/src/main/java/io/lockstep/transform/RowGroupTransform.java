package io.lockstep.materialize;

import java.io.Serializable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A deterministic transform of one row group's rows, run before they are stored: a pure function of
 * the rows. It must keep their number and order. Thread-safe.
 */
public interface RowGroupTransform extends Serializable {

    /**
     * A single line with everything that affects the result: name, version and parameters. A
     * different result needs a different description.
     */
    String description();

    /**
     * The columns of its result.
     *
     * @throws io.lockstep.UserException if it cannot be applied to these columns
     */
    Schema schema(Schema columns);

    /**
     * An estimate of the memory of its result.
     *
     * @param bytes of the input rows
     */
    long bytes(long bytes);

    /**
     * Transforms rows.
     *
     * @param rows which the caller closes; the result may share their memory
     * @return of {@link #schema}; the caller closes it
     */
    VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator);
}
