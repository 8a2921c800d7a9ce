package io.lockstep.digest;

import io.lockstep.batch.MemoryReader;

/**
 * Computes the digest of one lane's rows: reads their body in one or more pieces, then takes their
 * counts. Must be closed; not thread-safe.
 */
interface LaneHash extends MemoryReader, AutoCloseable {

    /**
     * Returns the digest. Call it after the last piece of the body.
     *
     * @param counts the result of {@link io.lockstep.batch.StepBatch#readCanonical}
     */
    Digest128 digest(long[] counts);

    @Override
    void close();
}
