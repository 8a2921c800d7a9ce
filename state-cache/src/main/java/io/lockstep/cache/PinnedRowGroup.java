package io.lockstep.cache;

import java.util.function.Consumer;
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

    /**
     * Compares the length of the file with that of the row group. Call it after every gather and
     * before the rows are used: reading a truncated mapping gives zeros or an {@link
     * InternalError}.
     *
     * @throws DamagedRowGroupException if they differ; the store then loads the row group again for
     *     the next who pins it
     */
    void checkLength();

    /**
     * Has a listener called if the content turns out to have changed while this hold was open. The
     * check runs after the last hold is closed, on a thread of the store.
     */
    void onDamage(Consumer<Damage> listener);

    /** Gives up this hold. Any thread may; a second call does nothing. */
    @Override
    void close();
}
