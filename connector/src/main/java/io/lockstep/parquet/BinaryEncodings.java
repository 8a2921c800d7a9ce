package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.api.Binary;

/**
 * Selects the decoder for each page of a column chunk of byte arrays: Lockstep's own for the plain
 * and dictionary encodings, parquet-java's for the others. Not thread-safe.
 */
final class BinaryEncodings implements AutoCloseable {

    private final FileColumn column;
    private final BufferAllocator allocator;
    private BinaryBuffer dictionary;

    BinaryEncodings(FileColumn column, BufferAllocator allocator) {
        this.column = column;
        this.allocator = allocator;
    }

    /** Sets the dictionary for the pages that follow. */
    void dictionary(DictionaryPage page) throws IOException {
        close();
        if (page.count() > page.values().length() / Integer.BYTES) {
            throw new IOException("its dictionary lacks entries");
        }
        dictionary = new BinaryBuffer(allocator, page.count(), page.values().length());
        new PlainBinary(page.values()).read(page.count(), dictionary);
    }

    BinaryValues open(DataPage page) throws IOException {
        Encoding encoding = page.encoding();
        if (encoding == Encoding.PLAIN) {
            return new PlainBinary(page.values());
        }
        if (encoding.usesDictionary()) {
            if (dictionary == null) {
                throw new IOException("a page needs a dictionary that is not there");
            }
            return DictionaryBinary.open(dictionary, page.values());
        }
        ValuesReader reader = ParquetValues.open(column, page);
        return (count, to) -> {
            for (int i = 0; i < count; i++) {
                Binary value = reader.readBytes();
                to.append(value.getBytesUnsafe(), 0, value.length());
            }
        };
    }

    @Override
    public void close() {
        if (dictionary != null) {
            dictionary.close();
            dictionary = null;
        }
    }
}
