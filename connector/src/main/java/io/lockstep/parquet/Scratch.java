package io.lockstep.parquet;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Reusable memory that grows on demand. Not thread-safe. */
final class Scratch implements AutoCloseable {

    private final BufferAllocator allocator;
    private ArrowBuf buffer;

    Scratch(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** Returns {@code length} bytes of undefined content. Invalidates regions returned before. */
    Region get(int length) {
        if (buffer == null || buffer.capacity() < (long) length + Region.SLACK) {
            close();
            buffer = allocator.buffer((long) length + Region.SLACK);
        }
        return new Region(buffer.memoryAddress(), length);
    }

    @Override
    public void close() {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
    }
}
