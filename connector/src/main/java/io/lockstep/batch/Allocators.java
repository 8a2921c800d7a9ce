package io.lockstep.batch;

import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Creates allocators that do not over-allocate. */
public final class Allocators {

    static final long ALIGNMENT = 64;

    private Allocators() {}

    /**
     * Creates an allocator that rounds up to 64 bytes. Arrow's default rounds up to a power of two,
     * which can double the size of a step's buffers.
     *
     * @param maxBytes the maximum total size of allocations by this allocator and its children
     */
    public static BufferAllocator root(long maxBytes) {
        return root(maxBytes, AllocationListener.NOOP);
    }

    /** Creates such an allocator with a listener. */
    public static BufferAllocator root(long maxBytes, AllocationListener listener) {
        return new RootAllocator(listener, maxBytes, Allocators::roundUp);
    }

    /** Rounds up to a multiple of 64, the alignment that Arrow recommends for buffers. */
    static long roundUp(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
