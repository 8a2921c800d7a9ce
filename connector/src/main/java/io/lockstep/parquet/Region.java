package io.lockstep.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Bytes outside the heap, owned by somebody else and valid as long as that owner says. Where
 * Lockstep reads with addresses, at least {@link #SLACK} bytes may be read beyond the end.
 */
record Region(long address, int length) {

    /** What every buffer that regions point into has at its end, so that words can be read. */
    static final int SLACK = 8;

    static final Region EMPTY = new Region(0, 0);

    /**
     * @throws IOException where the part does not lie in this region
     */
    Region part(int begin, int size) throws IOException {
        if (begin < 0 || size < 0 || size > length - begin) {
            throw new IOException(
                    "a page has " + length + " bytes where " + ((long) begin + size) + " belong");
        }
        return new Region(address + begin, size);
    }

    Region from(int begin) throws IOException {
        return part(begin, length - begin);
    }

    /** A little-endian number of four bytes. */
    int intAt(int index) throws IOException {
        return MemoryUtil.getInt(part(index, Integer.BYTES).address);
    }

    /** The same bytes, as a buffer that is valid as long. */
    ByteBuffer buffer() {
        return MemoryUtil.directBuffer(address, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
