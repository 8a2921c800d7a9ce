package io.lockstep.parquet;

import java.io.IOException;

/**
 * The non-null values of one page of a column of byte arrays. Decoders of encodings implement this
 * interface. Not thread-safe.
 */
@FunctionalInterface
interface BinaryValues {

    /** Appends the next {@code count} values to {@code to}. */
    void read(int count, BinaryBuffer to) throws IOException;
}
