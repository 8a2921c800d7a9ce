package io.lockstep.cache;

import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/** One caller's hold on a stored row group, which stays mapped until every hold is closed. */
public interface PinnedRowGroup extends AutoCloseable {

    /**
     * The vectors, over mapped memory that may only be read: a write ends the process. All holders
     * share them. They must not be closed and are valid until {@link #close()}; do not use the
     * address of a buffer after that.
     *
     * @throws IllegalStateException if this hold is closed
     */
    VectorSchemaRoot root();

    /** The size of the row group's file. */
    long bytes();

    /** How a row group in use is checked. */
    enum Check {
        /**
         * Compares the length of the file. Costs a system call. Before a gather: reading a
         * truncated mapping gives zeros, arbitrary bytes or an {@link InternalError}.
         */
        LENGTH,

        /**
         * Compares the time of the file's last change, and its content only if that has changed.
         * Costs a system call. After a gather and before the rows are used.
         */
        CHANGE,

        /** Reads the file and compares its content. After a gather that failed. */
        CONTENT
    }

    /**
     * Checks the file of the row group.
     *
     * @throws DamagedRowGroupException if it is damaged; the store then loads the row group again
     *     for the next pin
     */
    void check(Check check);

    /**
     * Registers a listener that is called if the content turns out to have changed while this hold
     * was open, and {@link #check} has not reported it. That check runs after the last hold is
     * closed, on a thread of the store.
     */
    void onDamage(Consumer<Damage> listener);

    /** Releases this hold. Idempotent; may be called on any thread. */
    @Override
    void close();
}
