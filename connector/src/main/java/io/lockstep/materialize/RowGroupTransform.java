package io.lockstep.materialize;

import java.io.Serializable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A deterministic transform of one row group's rows, run before they are stored: a pure function of
 * the rows. It keeps their number and order. Thread-safe.
 */
public interface RowGroupTransform extends Serializable {

    /**
     * Everything that shapes its result in one line: name, version and parameters. A different
     * result needs a different description.
     */
    String description();

    /**
     * The columns that it makes.
     *
     * @throws io.lockstep.UserException where it cannot be applied to these columns
     */
    Schema schema(Schema columns);

    /**
     * An estimate of the memory of its result.
     *
     * @param bytes of the rows that it gets
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
