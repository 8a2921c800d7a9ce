package io.lockstep.parquet;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Builds the validity bitmap of a vector from definition levels. Most columns have no nulls, so the
 * bitmap is not allocated before the first null. Not thread-safe.
 */
final class ValidityBuilder implements AutoCloseable {

    private final BufferAllocator allocator;
    private final long capacity;
    private ArrowBuf bits;
    private long length;
    private long nulls;

    /**
     * @param capacity the maximum number of places
     */
    ValidityBuilder(BufferAllocator allocator, long capacity) {
        this.allocator = allocator;
        this.capacity = capacity;
    }

    long nulls() {
        return nulls;
    }

    /** Appends places that hold values. */
    void appendValid(int count) {
        if (bits != null) {
            set(length, count);
        }
        length += count;
    }

    /**
     * Appends places; a place is valid if its level is at least {@code least}.
     *
     * @param valid the number of valid places
     */
    void append(byte[] levels, int count, int least, int valid) {
        if (valid == count) {
            appendValid(count);
            return;
        }
        if (bits == null) {
            long bytes = (capacity + Byte.SIZE - 1) / Byte.SIZE;
            bits = allocator.buffer(bytes);
            bits.setZero(0, bytes);
            set(0, length);
        }
        long address = bits.memoryAddress();
        int i = 0;
        for (; i + Byte.SIZE <= count; i += Byte.SIZE) {
            or(address, length + i, Levels.bits(levels, i, least));
        }
        for (; i < count; i++) {
            or(address, length + i, levels[i] >= least ? 1 : 0);
        }
        length += count;
        nulls += count - valid;
    }

    private void set(long from, long count) {
        long address = bits.memoryAddress();
        long bit = from;
        long end = from + count;
        while (bit < end) {
            if ((bit & 7) == 0 && end - bit >= Byte.SIZE) {
                long whole = end - bit >>> 3;
                MemoryUtil.setMemory(address + (bit >>> 3), whole, (byte) -1);
                bit += whole << 3;
            } else {
                or(address, bit, 1);
                bit++;
            }
        }
    }

    /** Sets up to eight bits, starting at bit {@code bit}. */
    private static void or(long address, long bit, int value) {
        long low = address + (bit >>> 3);
        int shifted = value << (bit & 7);
        MemoryUtil.putByte(low, (byte) (MemoryUtil.getByte(low) | shifted));
        if (shifted > 0xff) {
            MemoryUtil.putByte(low + 1, (byte) (shifted >>> Byte.SIZE));
        }
    }

    /**
     * Returns the bitmap, empty if there are no nulls, and transfers the reference to the caller.
     */
    ArrowBuf take() {
        if (bits == null) {
            return allocator.getEmpty();
        }
        ArrowBuf taken = bits.writerIndex((length + Byte.SIZE - 1) / Byte.SIZE);
        bits = null;
        return taken;
    }

    @Override
    public void close() {
        if (bits != null) {
            bits.close();
        }
    }
}
