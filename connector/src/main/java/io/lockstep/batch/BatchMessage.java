package io.lockstep.batch;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A batch as an encapsulated message of Arrow's IPC format. Writing it takes a single copy of the
 * batch's body.
 *
 * <p>Reads the batch's memory but does not own it: the batch must stay open until the last write.
 * Immutable and thread-safe.
 */
public final class BatchMessage {

    private static final int CONTINUATION = 0xFFFFFFFF;
    private static final int PREFIX_BYTES = 2 * Integer.BYTES;

    private final StepBatch batch;
    private final BodyLayout layout;
    private final byte[] metadata;
    private final int bodyStart;

    BatchMessage(StepBatch batch) {
        this.batch = batch;
        this.layout = batch.layout();
        ByteBuffer message = layout.metadata();
        this.metadata = new byte[message.remaining()];
        message.get(metadata);
        this.bodyStart = (int) Allocators.roundUp(PREFIX_BYTES + metadata.length);
    }

    /** Returns the wire schema. */
    public Schema schema() {
        return layout.shape().schema();
    }

    public int rows() {
        return layout.rows();
    }

    /** Returns the size of the message in bytes, a multiple of 64. */
    public long bytes() {
        return bodyStart + layout.bytes();
    }

    /**
     * Writes the message: the metadata, then the body at a 64-byte boundary.
     *
     * @param address the address of {@link #bytes()} writable bytes, a multiple of 64
     */
    public void writeTo(long address) {
        long body = batch.address();
        MemoryUtil.putInt(address, CONTINUATION);
        MemoryUtil.putInt(address + Integer.BYTES, bodyStart - PREFIX_BYTES);
        long end = address + PREFIX_BYTES + metadata.length;
        MemoryUtil.copyToMemory(metadata, 0, address + PREFIX_BYTES, metadata.length);
        MemoryUtil.setMemory(end, address + bodyStart - end, (byte) 0);
        MemoryUtil.copyMemory(body, address + bodyStart, layout.bytes());
    }

    /** Like {@link #writeTo(long)}, for a buffer of at least {@link #bytes()}. */
    public void writeTo(ArrowBuf buffer) {
        buffer.checkBytes(0, bytes());
        writeTo(buffer.memoryAddress());
    }

    /**
     * Replaces the content of the vectors with a copy of the batch in its own memory.
     *
     * @param root vectors of this schema
     */
    public void loadInto(VectorSchemaRoot root, BufferAllocator allocator) {
        try (ArrowBuf copy = allocator.buffer(layout.bytes())) {
            MemoryUtil.copyMemory(batch.address(), copy.memoryAddress(), layout.bytes());
            try (ArrowRecordBatch loaded = layout.recordBatch(copy)) {
                new VectorLoader(root).load(loaded);
            }
        }
    }
}
