package io.lockstep.digest;

import io.lockstep.batch.MemoryReader;

/**
 * Makes one digest of a lane's rows: reads their body, which comes in pieces, then takes their
 * counts. To be closed; not thread-safe.
 */
interface LaneHash extends MemoryReader, AutoCloseable {

    /**
     * The digest, after the body's last piece.
     *
     * @param counts as {@link io.lockstep.batch.StepBatch#readCanonical} gives them
     */
    Digest128 digest(long[] counts);

    @Override
    void close();
}
