package io.lockstep.batch;

import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Makes allocators that give what is asked for. */
public final class Allocators {

    private static final long ALIGNMENT = 64;

    private Allocators() {}

    /**
     * An allocator that rounds up to 64 bytes; Arrow's own rounds up to a power of two, which for
     * buffers of a step's size may be twice what is needed.
     *
     * @param maxBytes the most that it and its children may hand out together
     */
    public static BufferAllocator root(long maxBytes) {
        return new RootAllocator(AllocationListener.NOOP, maxBytes, Allocators::roundUp);
    }

    /** The next multiple of 64, the alignment that Arrow recommends for buffers. */
    static long roundUp(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
