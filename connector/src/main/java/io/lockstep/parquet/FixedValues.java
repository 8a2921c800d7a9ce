package io.lockstep.parquet;

import java.io.IOException;

/**
 * The non-null values of one page of a fixed-width column. Decoders of encodings implement this
 * interface. Not thread-safe.
 */
@FunctionalInterface
interface FixedValues {

    /** Writes the next values contiguously, in the form of the Arrow buffer. */
    void read(int count, long address) throws IOException;
}
