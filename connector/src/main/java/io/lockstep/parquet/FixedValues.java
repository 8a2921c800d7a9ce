package io.lockstep.parquet;

import java.io.IOException;

/**
 * The values of one page of a column of fixed width, nulls left out: the place where a decoder for
 * an encoding plugs in. Not thread-safe.
 */
@FunctionalInterface
interface FixedValues {

    /** Writes the next values one after another, in the form of the Arrow buffer. */
    void read(int count, long address) throws IOException;
}
