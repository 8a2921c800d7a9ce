package io.lockstep.parquet;

import java.io.IOException;
import org.apache.arrow.memory.util.MemoryUtil;

/** Decodes plain byte arrays, each prefixed with its length in four bytes. */
final class PlainBinary implements BinaryValues {

    private final long end;
    private long position;

    PlainBinary(Region values) {
        this.position = values.address();
        this.end = values.address() + values.length();
    }

    @Override
    public void read(int count, BinaryBuffer to) throws IOException {
        for (int i = 0; i < count; i++) {
            if (end - position < Integer.BYTES) {
                throw new IOException("the values of a page end too early");
            }
            int size = MemoryUtil.getInt(position);
            position += Integer.BYTES;
            if (size < 0 || size > end - position) {
                throw new IOException("a value of a page reaches beyond the page");
            }
            to.append(position, size);
            position += size;
        }
    }
}
