package io.lockstep.digest;

import io.lockstep.batch.MemoryReader;

/** The XXH3_128 of memory that comes in pieces. To be closed; not thread-safe. */
interface BodyHash extends MemoryReader, AutoCloseable {

    /** The hash of all pieces, after the last one. */
    Digest128 value();

    @Override
    void close();
}
