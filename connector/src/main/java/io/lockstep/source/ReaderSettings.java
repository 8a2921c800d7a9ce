package io.lockstep.source;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The resources that a reader may use in its task manager.
 *
 * @param stepBytes memory for steps made ahead of use, shared by the reader's lanes
 * @param threads threads that decode and gather; 0 divides the cores evenly among the readers
 * @param digests whether each step gets a digest
 */
@PublicEvolving
public record ReaderSettings(long stepBytes, int threads, boolean digests) implements Serializable {

    private static final long DEFAULT_STEP_BYTES = 256L << 20;

    /** With digests. */
    public ReaderSettings(long stepBytes, int threads) {
        this(stepBytes, threads, true);
    }

    public static ReaderSettings defaults() {
        return new ReaderSettings(DEFAULT_STEP_BYTES, 0);
    }

    /** Returns settings with or without digests. */
    public ReaderSettings withDigests(boolean made) {
        return new ReaderSettings(stepBytes, threads, made);
    }

    /**
     * The number of threads of a reader.
     *
     * @param readers of this job that may run in this process
     */
    public int resolveThreads(int readers) {
        return threads > 0
                ? threads
                : Math.max(1, Runtime.getRuntime().availableProcessors() / readers);
    }
}
