package io.lockstep.source.reader;

import io.lockstep.batch.Allocators;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The direct memory of one reader's steps. Its users are the reader, each step that is being made,
 * and each step that is not closed yet, wherever it is. The last user to release it closes it: a
 * step may outlive its reader, in the sink or in a read that hangs. Thread-safe.
 */
final class StepMemory {

    private final BufferAllocator allocator;

    /** The first is the reader. */
    private final AtomicInteger users = new AtomicInteger(1);

    StepMemory() {
        this(Allocators.root(Long.MAX_VALUE));
    }

    /** Takes an allocator over. */
    StepMemory(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** Valid for as long as the caller is a user. */
    BufferAllocator allocator() {
        return allocator;
    }

    /** Adds a user, which releases it once. To be called by a user. */
    void retain() {
        users.incrementAndGet();
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            allocator.close();
        }
    }
}
