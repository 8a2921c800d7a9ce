package io.lockstep.parquet;

import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Consecutive byte arrays with their end offsets. The byte buffer grows as needed; the capacity for
 * values is fixed. Not thread-safe.
 */
final class BinaryBuffer implements AutoCloseable {

    /** Arrow's offsets of strings and binaries are signed 32-bit numbers. */
    private static final long MAX = Integer.MAX_VALUE;

    private final BufferAllocator allocator;
    private ArrowBuf bytes;
    private ArrowBuf ends;
    private long length;
    private int count;

    /**
     * @param most the maximum number of values
     * @param length the expected number of bytes; the buffer grows beyond it
     */
    BinaryBuffer(BufferAllocator allocator, long most, long length) {
        this.allocator = allocator;
        this.bytes = allocator.buffer(Math.min(length, MAX) + Region.SLACK);
        try {
            this.ends = allocator.buffer((most + 1) * Integer.BYTES);
        } catch (Throwable t) {
            bytes.close();
            throw t;
        }
        MemoryUtil.putInt(ends.memoryAddress(), 0);
    }

    int count() {
        return count;
    }

    /**
     * Returns the address of the offsets: 0, then the end of each value. Valid until the next
     * append.
     */
    long offsets() {
        return ends.memoryAddress();
    }

    /** Appends a value. May read up to {@link Region#SLACK} bytes beyond its end. */
    void append(long from, int size) throws IOException {
        long end = length + size;
        if (end + Region.SLACK > bytes.capacity()) {
            growBytes(end);
        }
        long to = bytes.memoryAddress() + length;
        if (size <= 2 * Long.BYTES) {
            // Copies short values in words. Bytes written beyond the end are overwritten or
            // truncated later.
            for (int done = 0; done < size; done += Long.BYTES) {
                MemoryUtil.putLong(to + done, MemoryUtil.getLong(from + done));
            }
        } else {
            MemoryUtil.copyMemory(from, to, size);
        }
        length = end;
        count++;
        MemoryUtil.putInt(ends.memoryAddress() + (long) count * Integer.BYTES, (int) end);
    }

    void append(byte[] from, int offset, int size) throws IOException {
        long end = length + size;
        if (end + Region.SLACK > bytes.capacity()) {
            growBytes(end);
        }
        MemoryUtil.copyToMemory(from, offset, bytes.memoryAddress() + length, size);
        length = end;
        count++;
        MemoryUtil.putInt(ends.memoryAddress() + (long) count * Integer.BYTES, (int) end);
    }

    /**
     * Inserts empty values for nulls among the values that start at {@code from}. Works from the
     * last place down, so that no end offset is overwritten before it has moved.
     *
     * @param levels the definition level of each place; values have the level {@code defined}
     */
    void spread(int from, int places, byte[] levels, int defined) {
        long offsets = ends.memoryAddress() + Integer.BYTES;
        int next = count;
        int before = from == 0 ? 0 : MemoryUtil.getInt(offsets + (from - 1L) * Integer.BYTES);
        for (int i = places - 1; i >= 0; i--) {
            int end =
                    next == from
                            ? before
                            : MemoryUtil.getInt(offsets + (next - 1L) * Integer.BYTES);
            MemoryUtil.putInt(offsets + (from + (long) i) * Integer.BYTES, end);
            if (levels[i] == defined) {
                next--;
            }
        }
        count = from + places;
    }

    /** Removes all values. */
    void clear() {
        length = 0;
        count = 0;
    }

    /** Returns the address of a value; valid until the next append. */
    long address(int value) {
        return bytes.memoryAddress() + MemoryUtil.getInt(offsets() + (long) value * Integer.BYTES);
    }

    /** Returns the size of a value in bytes. */
    int size(int value) {
        long at = offsets() + (long) value * Integer.BYTES;
        return MemoryUtil.getInt(at + Integer.BYTES) - MemoryUtil.getInt(at);
    }

    /** Returns the offsets buffer and transfers the reference to the caller. */
    ArrowBuf takeOffsets() {
        ArrowBuf taken = ends.writerIndex(((long) count + 1) * Integer.BYTES);
        ends = null;
        return taken;
    }

    /** Returns the bytes buffer and transfers the reference to the caller. */
    ArrowBuf takeBytes() {
        ArrowBuf taken = bytes.writerIndex(length);
        bytes = null;
        return taken;
    }

    private void growBytes(long needed) throws IOException {
        if (needed > MAX) {
            throw new IOException(
                    "its values take more than 2 GiB in one row group, which takes smaller row"
                            + " groups");
        }
        long room = Math.max(needed, Math.min(MAX, bytes.capacity() + bytes.capacity() / 2));
        ArrowBuf larger = allocator.buffer(room + Region.SLACK);
        MemoryUtil.copyMemory(bytes.memoryAddress(), larger.memoryAddress(), length);
        bytes.close();
        bytes = larger;
    }

    @Override
    public void close() {
        if (bytes != null) {
            bytes.close();
        }
        if (ends != null) {
            ends.close();
        }
    }
}
