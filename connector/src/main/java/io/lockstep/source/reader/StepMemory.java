package io.lockstep.source.reader;

import io.lockstep.batch.Allocators;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The direct memory of one reader's steps, reference-counted. Its users are the reader, each step
 * in progress, and each step that is not closed yet. The last user to release it closes it, because
 * a step may outlive its reader, in the sink or in a hanging read. Thread-safe.
 */
final class StepMemory {

    private final BufferAllocator allocator;

    /** The first is the reader. */
    private final AtomicInteger users = new AtomicInteger(1);

    StepMemory() {
        this(Allocators.root(Long.MAX_VALUE));
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
