package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Builds the vector of a column's values page by page. {@link #close} frees the buffers that were
 * not transferred. Not thread-safe.
 */
abstract class LeafBuilder implements AutoCloseable {

    private final long capacity;
    private final int defined;
    private final ValidityBuilder validity;
    private int length;

    /**
     * @param capacity the maximum number of places
     */
    LeafBuilder(FileColumn column, long capacity, BufferAllocator allocator) {
        this.capacity = capacity;
        this.defined = column.levels().value();
        this.validity = new ValidityBuilder(allocator, capacity);
    }

    /** Sets the dictionary for the pages that follow. */
    abstract void dictionary(DictionaryPage page) throws IOException;

    /** Reads a page's values contiguously into the places from {@link #length} on. */
    abstract void read(DataPage page, int values) throws IOException;

    /**
     * Moves the values just read, which occupy the first places, to the places whose level is
     * {@link #defined}. The other places become zero or empty.
     */
    abstract void spread(int places, byte[] levels, int values);

    /** Transfers the buffers that follow the validity bitmap. */
    abstract void takeBuffers(DecodedColumn to);

    final int length() {
        return length;
    }

    final int defined() {
        return defined;
    }

    /**
     * Adds the values of a page.
     *
     * @param places the number of values and nulls
     * @param levels the definition level of each place; not read if no place is null
     * @param values the number of places that hold a value
     */
    final void append(DataPage page, int places, byte[] levels, int values) throws IOException {
        if (places > capacity - length) {
            throw new IOException("its pages have more values than its row group has room for");
        }
        read(page, values);
        if (values < places) {
            spread(places, levels, values);
        }
        validity.append(levels, places, defined, values);
        length += places;
    }

    final void take(DecodedColumn to) {
        to.add(new ArrowFieldNode(length, validity.nulls()));
        to.add(validity.take());
        takeBuffers(to);
    }

    @Override
    public void close() {
        validity.close();
    }
}
