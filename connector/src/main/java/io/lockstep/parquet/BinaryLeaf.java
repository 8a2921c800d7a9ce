package io.lockstep.parquet;

import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;

/** Builds vectors of variable-size values: strings and binaries. */
final class BinaryLeaf extends LeafBuilder {

    private final BinaryEncodings encodings;
    private final BinaryBuffer values;

    BinaryLeaf(FileColumn column, long capacity, ColumnChunk chunk, BufferAllocator allocator) {
        super(column, capacity, allocator);
        this.encodings = new BinaryEncodings(column, allocator);
        // If the writer did not record the size, start with the minimum for values without
        // repetition.
        long bytes = chunk.contentBytes() >= 0 ? chunk.contentBytes() : chunk.uncompressedBytes();
        this.values = new BinaryBuffer(allocator, capacity, bytes);
    }

    @Override
    void dictionary(DictionaryPage page) throws IOException {
        encodings.dictionary(page);
    }

    @Override
    void read(DataPage page, int count) throws IOException {
        if (count > 0) {
            encodings.open(page).read(count, values);
        }
    }

    @Override
    void spread(int places, byte[] levels, int count) {
        values.spread(length(), places, levels, defined());
    }

    @Override
    void takeBuffers(DecodedColumn to) {
        to.add(values.takeOffsets());
        to.add(values.takeBytes());
    }

    @Override
    public void close() {
        super.close();
        encodings.close();
        values.close();
    }
}
