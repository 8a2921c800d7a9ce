package io.lockstep.transform;

import org.apache.flink.annotation.PublicEvolving;

/** Estimates the memory of transformed rows. Thread-safe. */
@FunctionalInterface
@PublicEvolving
public interface SizeEstimate {

    /**
     * Returns the bytes of the result.
     *
     * @param bytes of the input
     * @param rows of the input, and of the result
     */
    long bytes(long bytes, long rows);
}
