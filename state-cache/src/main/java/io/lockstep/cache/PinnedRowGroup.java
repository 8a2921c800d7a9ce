package io.lockstep.cache;

import org.apache.arrow.vector.VectorSchemaRoot;

/** One asker's hold on a stored row group: it stays mapped until every hold is closed. */
public interface PinnedRowGroup extends AutoCloseable {

    /**
     * The vectors, over mapped memory that may only be read: a write ends the process. They are
     * shared by all who hold the row group, must not be closed, and are valid until {@link
     * #close()}; the address of a buffer must not be used after it.
     *
     * @throws IllegalStateException when this hold is closed
     */
    VectorSchemaRoot root();

    /** The size of the row group's file. */
    long bytes();

    /** Gives up this hold. Any thread may; a second call does nothing. */
    @Override
    void close();
}
