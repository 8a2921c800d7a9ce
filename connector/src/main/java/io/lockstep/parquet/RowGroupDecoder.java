package io.lockstep.parquet;

import io.lockstep.UserException;
import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.Shard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Decodes the column chunks of one row group, range by range. Single use; not thread-safe. */
final class RowGroupDecoder implements AutoCloseable {

    private final List<FileColumn> columns;
    private final List<ColumnChunk> chunks;
    private final RowGroup group;
    private final Shard shard;
    private final BufferAllocator allocator;
    private final DecodedColumn[] decoded;
    private final Decompressor decompressor = new Decompressor();
    private final Scratch scratch;

    /**
     * @param columns the columns to decode
     * @param chunks the chunks of these columns in the row group
     */
    RowGroupDecoder(
            List<FileColumn> columns,
            List<ColumnChunk> chunks,
            RowGroup group,
            Shard shard,
            BufferAllocator allocator) {
        this.columns = columns;
        this.chunks = chunks;
        this.group = group;
        this.shard = shard;
        this.allocator = allocator;
        this.decoded = new DecodedColumn[columns.size()];
        this.scratch = new Scratch(allocator);
    }

    /** Fetches a range and decodes all chunks in it. */
    void decode(RangeReader in, ByteRange range) throws IOException {
        try (ArrowBuf buffer = in.read(range, allocator)) {
            for (int index : range.chunks()) {
                ColumnChunk chunk = chunks.get(index);
                long address = buffer.memoryAddress() + chunk.begin() - range.begin();
                decoded[index] = decode(columns.get(index), chunk, address);
            }
        }
    }

    private DecodedColumn decode(FileColumn column, ColumnChunk chunk, long address) {
        try (ColumnDecoder decoder =
                ColumnDecoder.of(column, chunk, Math.toIntExact(group.rows()), allocator)) {
            Region bytes = new Region(address, Math.toIntExact(chunk.compressedBytes()));
            ChunkPages pages =
                    new ChunkPages(
                            chunk, column, bytes, decompressor, scratch, decoder::dictionary);
            for (DataPage page = pages.next(); page != null; page = pages.next()) {
                decoder.decode(page);
            }
            return finish(decoder);
        } catch (OutOfMemoryException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Damaged pages cause exceptions of any kind, including from parquet-java's readers.
            throw damaged(column.name(), group, shard, e);
        }
    }

    private static DecodedColumn finish(ColumnDecoder decoder) throws IOException {
        DecodedColumn column = new DecodedColumn();
        try {
            decoder.finish(column);
            return column;
        } catch (Throwable t) {
            column.close();
            throw t;
        }
    }

    /** Creates the vectors after all columns have been decoded. The caller closes them. */
    VectorSchemaRoot finish(Schema schema) {
        List<ArrowFieldNode> nodes = new ArrayList<>();
        List<ArrowBuf> buffers = new ArrayList<>();
        for (DecodedColumn column : decoded) {
            nodes.addAll(column.nodes());
            buffers.addAll(column.buffers());
        }
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        int rows = Math.toIntExact(group.rows());
        try (ArrowRecordBatch batch = new ArrowRecordBatch(rows, nodes, buffers)) {
            new VectorLoader(root).load(batch);
            return root;
        } catch (Throwable t) {
            root.close();
            throw t;
        }
    }

    static UserException damaged(String column, RowGroup group, Shard shard, Exception cause) {
        return new UserException(
                "The column \""
                        + column
                        + "\" of row group "
                        + group.ordinal()
                        + " in "
                        + shard.location()
                        + " cannot be read: "
                        + cause.getMessage()
                        + "; write the file again, or leave the column out.",
                cause);
    }

    @Override
    public void close() {
        for (DecodedColumn column : decoded) {
            if (column != null) {
                column.close();
            }
        }
        scratch.close();
        decompressor.close();
    }
}
