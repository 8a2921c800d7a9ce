package io.lockstep.cache;

import java.lang.ref.Reference;

/**
 * Faults of reads from a mapped file that was truncated.
 *
 * <p>Compiled code continues after such a fault, with arbitrary bytes. The JVM throws the {@link
 * InternalError} when the thread next enters the virtual machine, which may be anywhere: between
 * two statements that must not be separated, or in another step's work.
 *
 * <p>HotSpot cannot continue after some instructions, and ends the process. One is {@code movslq},
 * to which an {@code int} is compiled that is only used as a {@code long}; so do not widen an
 * {@code int} where it is read from a mapped file.
 */
public final class MappingFaults {

    /** More than the optimizing compiler inlines, so that the call enters the JVM. */
    private static final int CALLS_THE_VM = 64;

    private MappingFaults() {}

    /**
     * Enters the virtual machine, so that a fault of this thread is reported here.
     *
     * @throws InternalError if there was a fault since the last entry
     */
    public static void raisePending() {
        // HotSpot allocates multi-dimensional arrays only inside the virtual machine.
        Reference.reachabilityFence(new byte[CALLS_THE_VM][1]);
    }

    /** Ignores a fault of this thread since its last entry into the virtual machine. */
    public static void discardPending() {
        try {
            raisePending();
        } catch (InternalError e) {
            // The file was truncated, which its length shows.
        }
    }
}
