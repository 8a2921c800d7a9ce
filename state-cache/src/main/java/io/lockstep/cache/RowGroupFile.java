package io.lockstep.cache;

import io.lockstep.ownership.OwnerOnly;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The Arrow IPC file of one row group, with one record batch. It is either complete or absent,
 * because it is written under a temporary name and renamed. Only its owner may read it.
 *
 * @param path the path of the file
 * @param bytes its length
 * @param crc the CRC32C of all its bytes, computed while they were written
 * @param schema the schema of its record batch
 * @param block the location of the record batch
 */
record RowGroupFile(Path path, long bytes, int crc, Schema schema, ArrowBlock block) {

    /** The prefix of an encapsulated message: continuation mark and length of the metadata. */
    private static final int MESSAGE_PREFIX = 8;

    /** Java maps at most 2 GiB - 1 of a file at once; the file's metadata needs a little of it. */
    private static final long MAX_BODY_BYTES = Integer.MAX_VALUE - (16L << 20);

    private static final int READ_BYTES = 1 << 20;

    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    static RowGroupFile write(Path path, VectorSchemaRoot root) throws IOException {
        Path aside = path.resolveSibling(path.getFileName() + ".part");
        try {
            RowGroupFile written;
            try (ChecksumChannel channel =
                            new ChecksumChannel(FileChannel.open(aside, CREATE, OwnerOnly.file()));
                    ArrowFileWriter writer = new ArrowFileWriter(root, null, channel)) {
                writer.writeBatch();
                writer.end();
                written =
                        new RowGroupFile(
                                path,
                                channel.bytes(),
                                channel.crc(),
                                root.getSchema(),
                                writer.getRecordBlocks().get(0));
            }
            Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE);
            return written;
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /**
     * The size of the record batch of these vectors in a file, without the metadata.
     *
     * @throws CacheException if such a file is too large to be mapped
     */
    static long bodyBytes(RowGroupKey key, VectorSchemaRoot root) {
        try (ArrowRecordBatch batch = new VectorUnloader(root).getRecordBatch()) {
            long body = batch.computeBodyLength();
            if (body > MAX_BODY_BYTES) {
                throw new CacheException(
                        "Row group "
                                + key.text()
                                + " takes "
                                + body
                                + " bytes when decoded, and the cache maps at most "
                                + MAX_BODY_BYTES
                                + " at once; choose fewer columns, or write the file with smaller"
                                + " row groups.");
            }
            return body;
        }
    }

    FileChannel open() throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    /**
     * Reads the whole file and compares length and checksum. A file that the disk cannot read is
     * damaged.
     *
     * @param channel of this file; it is read by position, so others may use it meanwhile
     * @return the damage, or empty if the content is unchanged
     * @throws ClosedChannelException if the channel is closed, for example by an interrupt
     */
    Optional<Damage> check(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect((int) Math.min(READ_BYTES, bytes));
        try {
            Optional<Damage> length = checkLength(channel);
            return length.isPresent() ? length : check(channel, buffer);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            return Optional.of(new Damage(path, "cannot be read (" + e.getMessage() + ")", true));
        } finally {
            Unmapper.unmap(buffer);
        }
    }

    private Optional<Damage> check(FileChannel channel, ByteBuffer buffer) throws IOException {
        CRC32C crcNow = new CRC32C();
        long position = 0;
        while (position < bytes) {
            int read = channel.read(buffer.clear(), position);
            if (read < 0) {
                return Optional.of(otherLength(position));
            }
            crcNow.update(buffer.flip());
            position += read;
        }
        int found = (int) crcNow.getValue();
        return found == crc ? Optional.empty() : Optional.of(otherContent(found));
    }

    private Damage otherContent(int found) {
        return new Damage(
                path, String.format("has the CRC32C %08x instead of %08x", found, crc), true);
    }

    /** Compares the length. */
    Optional<Damage> checkLength(FileChannel channel) throws IOException {
        long size = channel.size();
        return size == bytes ? Optional.empty() : Optional.of(otherLength(size));
    }

    private Damage otherLength(long found) {
        return new Damage(path, "has " + found + " bytes instead of " + bytes, false);
    }

    /**
     * Vectors over the mapped file, without a copy. Closing them unmaps the file.
     *
     * @param channel of this file
     * @param allocator accounts for the mapped bytes
     */
    VectorSchemaRoot map(FileChannel channel, BufferAllocator allocator) throws IOException {
        Mapping mapping = Mapping.of(channel, bytes);
        int start = Math.toIntExact(block.getOffset());
        try (ArrowBuf file = allocator.wrapForeignAllocation(mapping)) {
            ByteBuffer metadata = metadata(channel);
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

    /** Read through the file, since a truncated mapping may be read as anything. */
    private ByteBuffer metadata(FileChannel channel) throws IOException {
        ByteBuffer metadata = ByteBuffer.allocate(block.getMetadataLength() - MESSAGE_PREFIX);
        long start = block.getOffset() + MESSAGE_PREFIX;
        while (metadata.hasRemaining()) {
            if (channel.read(metadata, start + metadata.position()) < 0) {
                throw new EOFException(path + " was truncated");
            }
        }
        return metadata.flip();
    }

    private VectorSchemaRoot load(ArrowRecordBatch batch, BufferAllocator allocator) {
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        try {
            Iterator<ArrowFieldNode> nodes = batch.getNodes().iterator();
            Iterator<ArrowBuf> buffers = batch.getBuffers().iterator();
            root.getFieldVectors().forEach(vector -> load(vector, nodes, buffers));
            return new VectorSchemaRoot(schema, root.getFieldVectors(), batch.getLength());
        } catch (Throwable t) {
            root.close();
            throw t;
        }
    }

    /**
     * Unlike Arrow's {@code VectorLoader}, reads nothing from the buffers. That reads the last
     * offset, in a way that ends the process if the file was truncated: see {@link MappingFaults}.
     */
    private static void load(
            FieldVector vector, Iterator<ArrowFieldNode> nodes, Iterator<ArrowBuf> buffers) {
        List<ArrowBuf> own = new ArrayList<>();
        while (own.size() < TypeLayout.getTypeBufferCount(vector.getField().getType())) {
            own.add(buffers.next());
        }
        vector.loadFieldBuffers(nodes.next(), own);
        vector.getChildrenFromFields().forEach(child -> load(child, nodes, buffers));
    }
}
