package io.lockstep.cache;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Makes the content of one row group. */
@FunctionalInterface
public interface RowGroupLoader {

    /**
     * Makes the vectors; the store closes them as soon as they are written.
     *
     * @param allocator for the vectors
     */
    VectorSchemaRoot load(BufferAllocator allocator) throws IOException;
}
