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

    /**
     * Compares the length of the file with that of the row group. Call it after every gather and
     * before the rows are used: reading a truncated mapping gives zeros or an {@link
     * InternalError}.
     *
     * @throws DamagedRowGroupException if they differ; the store then loads the row group again for
     *     the next pin
     */
    void checkLength();

    /**
     * Registers a listener that is called if the content turns out to have changed while this hold
     * was open. The check runs after the last hold is closed, on a thread of the store.
     */
    void onDamage(Consumer<Damage> listener);

    /** Releases this hold. Idempotent; may be called on any thread. */
    @Override
    void close();
}
