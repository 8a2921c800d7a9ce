package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Builds the vector of a column's values page by page. {@link #close} frees what was not taken. Not
 * thread-safe.
 */
abstract class LeafBuilder implements AutoCloseable {

    private final long capacity;
    private final int defined;
    private final ValidityBuilder validity;
    private int length;

    /**
     * @param capacity the most places that there will be
     */
    LeafBuilder(FileColumn column, long capacity, BufferAllocator allocator) {
        this.capacity = capacity;
        this.defined = column.levels().value();
        this.validity = new ValidityBuilder(allocator, capacity);
    }

    /** Takes the dictionary for the pages that follow. */
    abstract void dictionary(DictionaryPage page) throws IOException;

    /** Reads a page's values into the places from {@link #length} on, one after another. */
    abstract void read(DataPage page, int values) throws IOException;

    /**
     * Moves the values just read, which lie in the first places, to the places whose level is
     * {@link #defined}; the others become zero or empty.
     */
    abstract void spread(int places, byte[] levels, int values);

    /** Gives the buffers after the validity bitmap away. */
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
     * @param places values and nulls
     * @param levels the places' definition levels; not read where no place is null
     * @param values how many places hold a value
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
