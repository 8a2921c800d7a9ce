package io.lockstep.parquet;

import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.parquet.format.Type;

/** Decodes the pages of one column chunk, in order. Not thread-safe. */
interface ColumnDecoder extends AutoCloseable {

    /** Sets the dictionary for the pages that follow. */
    void dictionary(DictionaryPage page) throws IOException;

    /** Decodes a data page. */
    void decode(DataPage page) throws IOException;

    /**
     * Finishes the column and transfers its buffers to {@code to}.
     *
     * @throws IOException if the column does not have the expected number of rows
     */
    void finish(DecodedColumn to) throws IOException;

    /** Frees the buffers that were not transferred. */
    @Override
    void close();

    /** Creates a decoder for a chunk of a row group with the given number of rows. */
    static ColumnDecoder of(
            FileColumn column, ColumnChunk chunk, int rows, BufferAllocator allocator) {
        if (!column.isList()) {
            return new FlatDecoder(leaf(column, chunk, rows, allocator), column, rows);
        }
        int size = column.fixedListSize();
        if (size < 0) {
            // Every list has an entry among the levels, even an empty one.
            LeafBuilder elements = leaf(column, chunk, chunk.values(), allocator);
            return ListDecoder.open(column, rows, elements, allocator);
        }
        LeafBuilder elements =
                leaf(column, chunk, Math.multiplyExact((long) rows, (long) size), allocator);
        return new FixedListDecoder(column, rows, elements, allocator);
    }

    private static LeafBuilder leaf(
            FileColumn column, ColumnChunk chunk, long places, BufferAllocator allocator) {
        Type type = column.physical().type();
        if (type == Type.BOOLEAN) {
            return new BitLeaf(column, places, allocator);
        }
        if (type != Type.BYTE_ARRAY) {
            FixedForm form = FixedForm.of(column);
            FixedSource source = new FixedEncodings(column, form, allocator);
            return new FixedLeaf(column, places, source, allocator);
        }
        if (column.values().getType() instanceof ArrowType.Decimal) {
            FixedSource source = new DecimalEncodings(column, allocator);
            return new FixedLeaf(column, places, source, allocator);
        }
        return new BinaryLeaf(column, places, chunk, allocator);
    }
}
