package io.lockstep.parquet;

import io.lockstep.Plural;
import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Decodes a column of variable-size lists. A list can begin on one page and end on a later one. */
final class ListDecoder implements ColumnDecoder {

    private final FileColumn column;
    private final int rows;
    private final LeafBuilder elements;
    private final ValidityBuilder validity;
    private ArrowBuf offsets;
    private int lists;
    private byte[] repetition = Levels.NONE;
    private byte[] definition = Levels.NONE;
    private byte[] starts = Levels.NONE;

    private ListDecoder(
            FileColumn column,
            int rows,
            LeafBuilder elements,
            ArrowBuf offsets,
            BufferAllocator allocator) {
        this.column = column;
        this.rows = rows;
        this.elements = elements;
        this.offsets = offsets;
        this.validity = new ValidityBuilder(allocator, rows);
    }

    /** Creates a decoder. Takes ownership of the element builder, even on failure. */
    static ListDecoder open(
            FileColumn column, int rows, LeafBuilder elements, BufferAllocator allocator) {
        try {
            ArrowBuf offsets = allocator.buffer((rows + 1L) * Integer.BYTES);
            return new ListDecoder(column, rows, elements, offsets, allocator);
        } catch (Throwable t) {
            elements.close();
            throw t;
        }
    }

    @Override
    public void dictionary(DictionaryPage page) throws IOException {
        elements.dictionary(page);
    }

    @Override
    public void decode(DataPage page) throws IOException {
        int count = page.count();
        repetition = Levels.ensureSize(repetition, count);
        definition = Levels.ensureSize(definition, count);
        starts = Levels.ensureSize(starts, count);
        page.repetition().read(repetition, count);
        page.definition().read(definition, count);
        int defined = column.levels().value();
        int elementLevel = column.levels().element();
        int newLists = 0;
        int valid = 0;
        int places = 0;
        int values = 0;
        for (int i = 0; i < count; i++) {
            byte level = definition[i];
            if (repetition[i] == 0) {
                start(newLists, places);
                starts[newLists++] = level;
                valid += level >= column.levels().list() ? 1 : 0;
            } else if (lists + newLists == 0) {
                throw new IOException("its first list has no beginning");
            }
            if (level >= elementLevel) {
                // Compacts in place: levels of empty and null lists are removed.
                definition[places++] = level;
                values += level == defined ? 1 : 0;
            }
        }
        elements.append(page, places, definition, values);
        validity.append(starts, newLists, column.levels().list(), valid);
        lists += newLists;
    }

    private void start(int newLists, int places) throws IOException {
        int list = lists + newLists;
        if (list == rows) {
            throw new IOException("it has more lists than its row group has rows");
        }
        int offset = elements.length() + places;
        MemoryUtil.putInt(offsets.memoryAddress() + (long) list * Integer.BYTES, offset);
    }

    @Override
    public void finish(DecodedColumn to) throws IOException {
        if (lists != rows) {
            throw new IOException(
                    "it has "
                            + Plural.of(lists, "list")
                            + " in a row group of "
                            + Plural.of(rows, "row"));
        }
        MemoryUtil.putInt(offsets.memoryAddress() + (long) rows * Integer.BYTES, elements.length());
        to.add(new ArrowFieldNode(rows, validity.nulls()));
        to.add(validity.take());
        to.add(offsets.writerIndex((rows + 1L) * Integer.BYTES));
        offsets = null;
        elements.take(to);
    }

    @Override
    public void close() {
        elements.close();
        validity.close();
        if (offsets != null) {
            offsets.close();
        }
    }
}
