package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;

/** Reads decimals that are stored as byte arrays and converts them. */
final class DecimalEncodings implements FixedSource {

    private static final int WIDTH = 16;
    private static final int BATCH = 1024;

    private final BinaryEncodings encodings;
    private final BinaryBuffer buffer;

    DecimalEncodings(FileColumn column, BufferAllocator allocator) {
        this.encodings = new BinaryEncodings(column, allocator);
        this.buffer = new BinaryBuffer(allocator, BATCH, (long) BATCH * WIDTH);
    }

    @Override
    public int width() {
        return WIDTH;
    }

    @Override
    public void dictionary(DictionaryPage page) throws IOException {
        encodings.dictionary(page);
    }

    @Override
    public FixedValues open(DataPage page) throws IOException {
        BinaryValues values = encodings.open(page);
        return (count, address) -> {
            for (int done = 0; done < count; done += BATCH) {
                int part = Math.min(count - done, BATCH);
                read(values, part, address + (long) done * WIDTH);
            }
        };
    }

    private void read(BinaryValues values, int count, long address) throws IOException {
        buffer.clear();
        values.read(count, buffer);
        for (int i = 0; i < count; i++) {
            FixedForm.putDecimal(buffer.address(i), buffer.size(i), address + (long) i * WIDTH);
        }
    }

    @Override
    public void close() {
        encodings.close();
        buffer.close();
    }
}
