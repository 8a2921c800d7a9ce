package io.lockstep.source.reader;

import io.lockstep.batch.Allocators;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.AllocationOutcome;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The direct memory of one reader's steps, reference-counted. Its users are the reader, each step
 * in progress, and each step that is not closed yet. The last user to release it closes it, because
 * a step may outlive its reader, in the sink or in a hanging read. Thread-safe.
 */
final class StepMemory {

    private static final AllocationListener REJECTING =
            new AllocationListener() {
                @Override
                public boolean onFailedAllocation(long size, AllocationOutcome outcome) {
                    throw new StepMemoryFullException(size);
                }
            };

    private final BufferAllocator allocator;

    /** The first is the reader. */
    private final AtomicInteger users = new AtomicInteger(1);

    /** Creates memory whose allocator fails beyond a limit with {@link StepMemoryFullException}. */
    StepMemory(long maxBytes) {
        this(Allocators.root(maxBytes, REJECTING));
    }

    /** Takes ownership of an allocator. */
    StepMemory(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** The allocator; valid while the caller is a user. */
    BufferAllocator allocator() {
        return allocator;
    }

    /** Adds a user, which must call release exactly once. Only a current user may call it. */
    void retain() {
        users.incrementAndGet();
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            allocator.close();
        }
    }
}
