package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.parquet.column.Encoding;

/** Builds vectors of booleans, which are stored as plain bits or as runs. */
final class BitLeaf extends LeafBuilder {

    private byte[] read = new byte[0];
    private ArrowBuf bits;

    BitLeaf(FileColumn column, long capacity, BufferAllocator allocator) {
        super(column, capacity, allocator);
        long bytes = (capacity + Byte.SIZE - 1) / Byte.SIZE;
        this.bits = allocator.buffer(bytes);
        bits.setZero(0, bytes);
    }

    @Override
    void dictionary(DictionaryPage page) throws IOException {
        throw new IOException("booleans have a dictionary");
    }

    @Override
    void read(DataPage page, int count) throws IOException {
        if (read.length < count) {
            read = new byte[count];
        }
        if (count == 0) {
            return;
        }
        if (page.encoding() == Encoding.PLAIN) {
            readPlain(page.values(), count);
        } else if (page.encoding() == Encoding.RLE) {
            int length = page.values().intAt(0);
            new HybridReader(page.values().part(Integer.BYTES, length), 1).read(read, count);
        } else {
            throw new IOException(
                    "its pages are encoded as " + page.encoding() + ", which no boolean has");
        }
        for (int i = 0; i < count; i++) {
            or(length() + (long) i, read[i]);
        }
    }

    private void readPlain(Region values, int count) throws IOException {
        long address = values.part(0, (count + Byte.SIZE - 1) / Byte.SIZE).address();
        for (int i = 0; i < count; i++) {
            read[i] = (byte) (MemoryUtil.getByte(address + (i >>> 3)) >>> (i & 7) & 1);
        }
    }

    @Override
    void spread(int places, byte[] levels, int count) {
        for (int i = 0; i < count; i++) {
            clear(length() + (long) i);
        }
        int next = 0;
        for (int i = 0; i < places; i++) {
            if (levels[i] == defined()) {
                or(length() + (long) i, read[next++]);
            }
        }
    }

    private void or(long bit, int value) {
        long address = bits.memoryAddress() + (bit >>> 3);
        MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) | value << (bit & 7)));
    }

    private void clear(long bit) {
        long address = bits.memoryAddress() + (bit >>> 3);
        MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) & ~(1 << (bit & 7))));
    }

    @Override
    void takeBuffers(DecodedColumn to) {
        to.add(bits.writerIndex((length() + Byte.SIZE - 1) / Byte.SIZE));
        bits = null;
    }

    @Override
    public void close() {
        super.close();
        if (bits != null) {
            bits.close();
        }
    }
}
