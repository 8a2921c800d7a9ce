package io.lockstep.parquet;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Memory that is used again and again, and grows when more is needed. Not thread-safe. */
final class Scratch implements AutoCloseable {

    private final BufferAllocator allocator;
    private ArrowBuf buffer;

    Scratch(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** So many bytes of any content; what was given before is no longer valid. */
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
