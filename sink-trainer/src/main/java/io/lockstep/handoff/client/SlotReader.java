package io.lockstep.handoff.client;

import io.lockstep.cache.Unmapper;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Copies batches out of a connection's slots and frees each slot after its copy. Not thread-safe.
 */
final class SlotReader implements AutoCloseable {

    /** Of an encapsulated message: the continuation mark, then the length of the metadata. */
    private static final int LENGTH_AT = 4;

    private static final int METADATA_AT = 8;

    private final Schema schema;
    private final BufferAllocator allocator;
    private final Map<Long, MappedByteBuffer> mapped = new HashMap<>();
    private final List<Long> freed = new ArrayList<>();
    private String file;

    SlotReader(Schema schema, BufferAllocator allocator) {
        this.schema = schema;
        this.allocator = allocator;
    }

    /** Returns the slots copied since the last call. */
    List<Long> takeFreed() {
        List<Long> taken = List.copyOf(freed);
        freed.clear();
        return taken;
    }

    VectorSchemaRoot read(Reply.InSlot slot) throws IOException {
        ByteBuffer message =
                map(slot).slice(0, Math.toIntExact(slot.length())).order(ByteOrder.LITTLE_ENDIAN);
        int metadataLength = message.getInt(LENGTH_AT);
        ByteBuffer metadata = message.slice(METADATA_AT, metadataLength);
        int bodyAt = METADATA_AT + metadataLength;
        int bodyLength = Math.toIntExact(slot.length()) - bodyAt;
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        // The batch takes ownership of the body.
        ArrowBuf body = allocator.buffer(bodyLength);
        body.setBytes(0, message.slice(bodyAt, bodyLength));
        try (ArrowRecordBatch batch =
                MessageSerializer.deserializeRecordBatch(
                        Message.getRootAsMessage(metadata), body)) {
            new VectorLoader(root).load(batch);
        } catch (IOException | RuntimeException e) {
            root.close();
            throw e;
        }
        freed.add(slot.slot());
        return root;
    }

    private MappedByteBuffer map(Reply.InSlot slot) throws IOException {
        if (!slot.file().equals(file)) {
            close();
            file = slot.file();
        }
        MappedByteBuffer present = mapped.get(slot.offset());
        if (present != null && present.capacity() >= slot.length()) {
            return present;
        }
        try (FileChannel channel =
                FileChannel.open(Path.of(slot.file()), StandardOpenOption.READ)) {
            MappedByteBuffer mapping = channel.map(MapMode.READ_ONLY, slot.offset(), slot.length());
            MappedByteBuffer former = mapped.put(slot.offset(), mapping);
            if (former != null) {
                Unmapper.unmap(former);
            }
            return mapping;
        } catch (NoSuchFileException e) {
            throw new HandoffException(
                    ErrorCode.UNKNOWN_CONNECTION,
                    "the shared memory "
                            + slot.file()
                            + " has gone with its connection: attach again");
        }
    }

    @Override
    public void close() {
        mapped.values().forEach(Unmapper::unmap);
        mapped.clear();
    }
}
