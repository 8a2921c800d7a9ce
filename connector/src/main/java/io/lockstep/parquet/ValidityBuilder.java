package io.lockstep.parquet;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The validity bitmap of a vector, made from definition levels. Most columns have no null at all,
 * so there is no bitmap before the first one. Not thread-safe.
 */
final class ValidityBuilder implements AutoCloseable {

    private final BufferAllocator allocator;
    private final long capacity;
    private ArrowBuf bits;
    private long length;
    private long nulls;

    /**
     * @param capacity the most places that there will be
     */
    ValidityBuilder(BufferAllocator allocator, long capacity) {
        this.allocator = allocator;
        this.capacity = capacity;
    }

    long nulls() {
        return nulls;
    }

    /** Adds places that hold values. */
    void appendValid(int count) {
        if (bits != null) {
            set(length, count);
        }
        length += count;
    }

    /**
     * Adds places that hold a value where the level is at least the least one.
     *
     * @param valid how many of them do
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

    /** Sets bits, eight at most, from a place on. */
    private static void or(long address, long bit, int value) {
        long low = address + (bit >>> 3);
        int shifted = value << (bit & 7);
        MemoryUtil.putByte(low, (byte) (MemoryUtil.getByte(low) | shifted));
        if (shifted > 0xff) {
            MemoryUtil.putByte(low + 1, (byte) (shifted >>> Byte.SIZE));
        }
    }

    /** The bitmap, empty where there is no null; its reference goes to the caller. */
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
