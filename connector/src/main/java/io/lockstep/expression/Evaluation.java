package io.lockstep.expression;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** One evaluation over rows: their columns, and strings of the text in memory. */
final class Evaluation implements AutoCloseable {

    private final List<ColumnReader> readers;
    private final BufferAllocator allocator;
    private final Map<Object, Values> strings = new IdentityHashMap<>();
    private final List<ArrowBuf> buffers = new ArrayList<>();

    /**
     * @param vectors the columns by their numbers
     * @param allocator for strings of the text
     */
    Evaluation(List<FieldVector> vectors, BufferAllocator allocator) {
        this.readers = vectors.stream().map(ColumnReader::of).toList();
        this.allocator = allocator;
    }

    int columns() {
        return readers.size();
    }

    Values read(int column, int from, int size) {
        return readers.get(column).read(from, size);
    }

    /**
     * Returns strings of the text, copied once for each owner.
     *
     * @param texts in UTF-8
     */
    Values strings(Object owner, byte[][] texts) {
        Values known = strings.get(owner);
        if (known != null) {
            return known;
        }
        long[] addresses = new long[texts.length];
        int[] lengths = new int[texts.length];
        long total = 0;
        for (byte[] text : texts) {
            total += text.length;
        }
        ArrowBuf buffer = allocator.buffer(Math.max(1, total));
        buffers.add(buffer);
        long at = 0;
        for (int i = 0; i < texts.length; i++) {
            buffer.setBytes(at, texts[i]);
            addresses[i] = buffer.memoryAddress() + at;
            lengths[i] = texts[i].length;
            at += texts[i].length;
        }
        Values values = Values.ofStrings(addresses, lengths, null);
        strings.put(owner, values);
        return values;
    }

    @Override
    public void close() {
        buffers.forEach(ArrowBuf::close);
    }
}
