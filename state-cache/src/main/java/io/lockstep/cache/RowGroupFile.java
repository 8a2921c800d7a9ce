package io.lockstep.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The Arrow IPC file of one row group, with one record batch: complete or absent, since it is
 * written beside its place and renamed.
 *
 * @param path where the file is
 * @param bytes its length
 * @param schema the schema of its record batch
 * @param block where the record batch lies
 */
record RowGroupFile(Path path, long bytes, Schema schema, ArrowBlock block) {

    /** The prefix of an encapsulated message: continuation mark and length of the metadata. */
    private static final int MESSAGE_PREFIX = 8;

    static RowGroupFile write(Path path, VectorSchemaRoot root) throws IOException {
        Path aside = path.resolveSibling(path.getFileName() + ".part");
        try {
            ArrowBlock block;
            long bytes;
            try (FileChannel channel =
                            FileChannel.open(
                                    aside,
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.WRITE);
                    ArrowFileWriter writer = new ArrowFileWriter(root, null, channel)) {
                writer.writeBatch();
                writer.end();
                block = writer.getRecordBlocks().get(0);
                bytes = channel.position();
            }
            Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE);
            return new RowGroupFile(path, bytes, root.getSchema(), block);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /** What the record batch of these vectors takes in a file, without the metadata. */
    static long bodyBytes(VectorSchemaRoot root) {
        try (ArrowRecordBatch batch = new VectorUnloader(root).getRecordBatch()) {
            return batch.computeBodyLength();
        }
    }

    /**
     * Vectors over the mapped file, without a copy. Closing them unmaps the file.
     *
     * @param allocator accounts for the mapped bytes
     */
    VectorSchemaRoot map(BufferAllocator allocator) throws IOException {
        Mapping mapping = Mapping.of(path);
        int start = Math.toIntExact(block.getOffset());
        ByteBuffer metadata =
                mapping.slice(start + MESSAGE_PREFIX, block.getMetadataLength() - MESSAGE_PREFIX);
        try (ArrowBuf file = allocator.wrapForeignAllocation(mapping)) {
            ArrowBuf body =
                    file.slice((long) start + block.getMetadataLength(), block.getBodyLength());
            // The batch takes over one reference to the body.
            body.getReferenceManager().retain();
            try (ArrowRecordBatch batch =
                    MessageSerializer.deserializeRecordBatch(
                            Message.getRootAsMessage(metadata), body)) {
                return load(batch, allocator);
            }
        }
    }

    private VectorSchemaRoot load(ArrowRecordBatch batch, BufferAllocator allocator) {
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        try {
            new VectorLoader(root).load(batch);
            return root;
        } catch (Throwable t) {
            root.close();
            throw t;
        }
    }
}
