package io.lockstep.parquet;

import io.lockstep.Plural;
import io.lockstep.footer.FileColumn;
import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Decodes a column of fixed-size lists, which Parquet stores as lists of any length. A null list
 * occupies as many places as any other, all null.
 */
final class FixedListDecoder implements ColumnDecoder {

    /** Repetition levels inside a list. */
    private static final byte[] INSIDE = new byte[1024];

    static {
        Arrays.fill(INSIDE, (byte) 1);
    }

    private final FileColumn column;
    private final int rows;
    private final int size;
    private final LeafBuilder elements;
    private final ValidityBuilder validity;

    /** The number of lists begun, and the number of places that the last one still lacks. */
    private int lists;

    private int missing;

    private byte[] repetition = Levels.NONE;
    private byte[] definition = Levels.NONE;
    private byte[] places = Levels.NONE;
    private byte[] starts = Levels.NONE;

    FixedListDecoder(FileColumn column, int rows, LeafBuilder elements, BufferAllocator allocator) {
        this.column = column;
        this.rows = rows;
        this.size = column.fixedListSize();
        this.elements = elements;
        this.validity = new ValidityBuilder(allocator, rows);
    }

    @Override
    public void dictionary(DictionaryPage page) throws IOException {
        elements.dictionary(page);
    }

    @Override
    public void decode(DataPage page) throws IOException {
        int count = page.count();
        if (count == 0) {
            return;
        }
        repetition = Levels.ensureSize(repetition, count);
        page.repetition().read(repetition, count);
        if (page.definition().isNext(column.levels().value(), count)) {
            decodeWhole(page);
            return;
        }
        definition = Levels.ensureSize(definition, count);
        page.definition().read(definition, count);
        starts = Levels.ensureSize(starts, count);
        places = Levels.ensureSize(places, count);
        int defined = column.levels().value();
        int newLists = 0;
        int valid = 0;
        int used = 0;
        int values = 0;
        for (int i = 0; i < count; i++) {
            byte level = definition[i];
            if (repetition[i] == 0) {
                requireWhole(lists + newLists);
                starts[newLists++] = level;
                missing = size;
                if (level < column.levels().list()) {
                    places = grow(places, used + size + count - i);
                    Arrays.fill(places, used, used + size, (byte) 0);
                    used += size;
                    missing = 0;
                    continue;
                }
                valid++;
            }
            if (level >= column.levels().element()) {
                if (--missing < 0) {
                    throw length(lists + newLists - 1);
                }
                places[used++] = level;
                values += level == defined ? 1 : 0;
            }
        }
        elements.append(page, used, places, values);
        validity.append(starts, newLists, column.levels().list(), valid);
        lists += newLists;
    }

    /** Decodes a page without nulls: only checks that lists begin at the expected positions. */
    private void decodeWhole(DataPage page) throws IOException {
        int count = page.count();
        int rest = Math.min(missing, count);
        requireRest(0, rest, lists - 1);
        missing -= rest;
        int newLists = 0;
        for (int i = rest; i < count; i += size) {
            if (repetition[i] != 0 || size == 0) {
                throw length(lists + newLists - 1);
            }
            newLists++;
            int part = Math.min(size, count - i);
            requireRest(i + 1, part - 1, lists + newLists - 1);
            missing = size - part;
        }
        elements.append(page, count, Levels.NONE, count);
        validity.append(Levels.NONE, newLists, column.levels().list(), newLists);
        lists += newLists;
    }

    /** Checks that no list begins within {@code count} levels from {@code from} on. */
    private void requireRest(int from, int count, int list) throws IOException {
        for (int i = 0; i < count; i += INSIDE.length) {
            int part = Math.min(INSIDE.length, count - i);
            if (!Arrays.equals(repetition, from + i, from + i + part, INSIDE, 0, part)) {
                throw length(list);
            }
        }
    }

    /** Returns an array with room for more levels, with the existing content. */
    private static byte[] grow(byte[] levels, int count) {
        return levels.length >= count
                ? levels
                : Arrays.copyOf(levels, Math.max(count, levels.length * 2));
    }

    /** Checks that the last of the lists is complete. */
    private void requireWhole(int begun) throws IOException {
        if (missing != 0) {
            throw length(begun - 1);
        }
    }

    private IOException length(int list) {
        return new IOException(
                "the list in row "
                        + Math.max(0, list)
                        + " of the row group does not have the "
                        + size
                        + " elements of its type");
    }

    @Override
    public void finish(DecodedColumn to) throws IOException {
        requireWhole(lists);
        if (lists != rows) {
            throw new IOException(
                    "it has "
                            + Plural.of(lists, "list")
                            + " in a row group of "
                            + Plural.of(rows, "row"));
        }
        to.add(new ArrowFieldNode(rows, validity.nulls()));
        to.add(validity.take());
        elements.take(to);
    }

    @Override
    public void close() {
        elements.close();
        validity.close();
    }
}
