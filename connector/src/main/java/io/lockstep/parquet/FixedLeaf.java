package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Builds vectors of fixed-width values. */
final class FixedLeaf extends LeafBuilder {

    private final FixedSource source;
    private final int width;
    private ArrowBuf values;

    FixedLeaf(FileColumn column, long capacity, FixedSource source, BufferAllocator allocator) {
        super(column, capacity, allocator);
        this.source = source;
        this.width = source.width();
        this.values = allocator.buffer(Math.multiplyExact(capacity, (long) width));
    }

    @Override
    void dictionary(DictionaryPage page) throws IOException {
        source.dictionary(page);
    }

    @Override
    void read(DataPage page, int count) throws IOException {
        if (count > 0) {
            source.open(page).read(count, firstPlace());
        }
    }

    @Override
    void spread(int places, byte[] levels, int count) {
        long address = firstPlace();
        switch (width) {
            case Integer.BYTES -> spreadInts(address, places, levels, count);
            case Long.BYTES -> spreadLongs(address, places, levels, count);
            default -> spreadBytes(address, places, levels, count);
        }
    }

    /** Works from the last place down, so that no value is overwritten before it has moved. */
    private void spreadInts(long address, int places, byte[] levels, int count) {
        int next = count;
        int defined = defined();
        for (int i = places - 1; i >= 0; i--) {
            // Branch-free, because the branch would be mispredicted at every null.
            int there = levels[i] == defined ? 1 : 0;
            next -= there;
            int value = MemoryUtil.getInt(address + (long) next * Integer.BYTES) & -there;
            MemoryUtil.putInt(address + (long) i * Integer.BYTES, value);
        }
    }

    private void spreadLongs(long address, int places, byte[] levels, int count) {
        int next = count;
        int defined = defined();
        for (int i = places - 1; i >= 0; i--) {
            int there = levels[i] == defined ? 1 : 0;
            next -= there;
            long value = MemoryUtil.getLong(address + (long) next * Long.BYTES) & -there;
            MemoryUtil.putLong(address + (long) i * Long.BYTES, value);
        }
    }

    private void spreadBytes(long address, int places, byte[] levels, int count) {
        int next = count;
        int defined = defined();
        for (int i = places - 1; i >= 0; i--) {
            long to = address + (long) i * width;
            if (levels[i] == defined) {
                next--;
                MemoryUtil.copyMemory(address + (long) next * width, to, width);
            } else {
                MemoryUtil.setMemory(to, width, (byte) 0);
            }
        }
    }

    private long firstPlace() {
        return values.memoryAddress() + (long) length() * width;
    }

    @Override
    void takeBuffers(DecodedColumn to) {
        to.add(values.writerIndex((long) length() * width));
        values = null;
    }

    @Override
    public void close() {
        super.close();
        source.close();
        if (values != null) {
            values.close();
        }
    }
}
