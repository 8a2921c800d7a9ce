package io.lockstep.parquet;

import java.io.IOException;

/**
 * The values of one page of a column of byte arrays, nulls left out: the place where a decoder for
 * an encoding plugs in. Not thread-safe.
 */
@FunctionalInterface
interface BinaryValues {

    /** Appends the next values. */
    void read(int count, BinaryBuffer to) throws IOException;
}
