package io.lockstep.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Off-heap bytes owned by another object and valid as long as the owner specifies. If Lockstep
 * reads them by address, at least {@link #SLACK} bytes beyond the end must be readable.
 */
record Region(long address, int length) {

    /**
     * The number of extra bytes at the end of every buffer that regions refer to, so that whole
     * words can be read.
     */
    static final int SLACK = 8;

    static final Region EMPTY = new Region(0, 0);

    /**
     * @throws IOException if the part is not within this region
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

    /** Returns the little-endian four-byte number at {@code index}. */
    int intAt(int index) throws IOException {
        return MemoryUtil.getInt(part(index, Integer.BYTES).address);
    }

    /** Returns the same bytes as a buffer, which is valid as long as the region. */
    ByteBuffer buffer() {
        return MemoryUtil.directBuffer(address, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
