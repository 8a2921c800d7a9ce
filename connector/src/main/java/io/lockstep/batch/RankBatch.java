package io.lockstep.batch;

import io.lockstep.UserException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of several lanes of one step, one lane after the other, as one Arrow record batch that
 * is written once, where it is wanted: every column of every lane is copied a single time.
 *
 * <p>It holds the lanes' batches and does not own them; they must stay open until the last write.
 * Immutable and thread-safe.
 */
public final class RankBatch {

    private static final int CONTINUATION = 0xFFFFFFFF;
    private static final int PREFIX_BYTES = 2 * Integer.BYTES;

    private final List<LaneBatch> lanes;
    private final BodyLayout layout;
    private final byte[] metadata;
    private final int bodyStart;

    private RankBatch(List<LaneBatch> lanes, BodyLayout layout) {
        this.lanes = lanes;
        this.layout = layout;
        ByteBuffer message = layout.metadata();
        this.metadata = new byte[message.remaining()];
        message.get(metadata);
        this.bodyStart = (int) Allocators.roundUp(PREFIX_BYTES + metadata.length);
    }

    /**
     * Works out the sizes; nothing is copied yet.
     *
     * @param lanes at least one, all of one schema, in the order in which their rows are to come
     * @throws UserException where a column has more than Arrow's 32-bit offsets can address
     */
    public static RankBatch layout(List<LaneBatch> lanes) {
        if (lanes.isEmpty()) {
            throw new IllegalArgumentException("A batch needs at least one lane.");
        }
        BatchShape shape = lanes.get(0).layout().shape();
        int nodes = shape.nodes().size();
        long[] values = new long[nodes];
        long[] bytes = new long[nodes];
        int[] nulls = new int[nodes];
        for (LaneBatch lane : lanes) {
            BodyLayout part = lane.layout();
            if (part.shape() != shape && !part.shape().schema().equals(shape.schema())) {
                throw new IllegalArgumentException("The lanes' batches have different schemas.");
            }
            part.addTo(values, nulls, bytes);
        }
        int[] counts = new int[nodes];
        for (Node node : shape.nodes()) {
            int i = node.index();
            counts[i] = checked(node, values[i], "elements");
            checked(node, bytes[i], "bytes");
        }
        return new RankBatch(List.copyOf(lanes), new BodyLayout(shape, counts, nulls, bytes));
    }

    /** The wire schema. */
    public Schema schema() {
        return layout.shape().schema();
    }

    public int rows() {
        return layout.rows();
    }

    /** What {@link #writeTo} writes, a multiple of 64. */
    public long messageBytes() {
        return bodyStart + layout.bytes();
    }

    /**
     * Writes an encapsulated Arrow IPC message: metadata, then the body at a multiple of 64 bytes.
     *
     * @param address of {@link #messageBytes()} writable bytes, a multiple of 64
     */
    public void writeTo(long address) {
        MemoryUtil.putInt(address, CONTINUATION);
        MemoryUtil.putInt(address + Integer.BYTES, bodyStart - PREFIX_BYTES);
        long end = address + PREFIX_BYTES + metadata.length;
        MemoryUtil.copyToMemory(metadata, 0, address + PREFIX_BYTES, metadata.length);
        MemoryUtil.setMemory(end, address + bodyStart - end, (byte) 0);
        LaneConcatenation.write(lanes, layout, address + bodyStart);
    }

    /** The same as {@link #writeTo(long)}, into a buffer of at least {@link #messageBytes()}. */
    public void writeTo(ArrowBuf buffer) {
        buffer.checkBytes(0, messageBytes());
        writeTo(buffer.memoryAddress());
    }

    /** The batch in memory of its own, in one piece; the caller closes it. */
    public ArrowRecordBatch asRecordBatch(BufferAllocator allocator) {
        try (ArrowBuf body = allocator.buffer(layout.bytes())) {
            LaneConcatenation.write(lanes, layout, body.memoryAddress());
            return layout.recordBatch(body);
        }
    }

    /**
     * Puts the batch, in memory of its own, in place of what the vectors hold.
     *
     * @param root of this schema
     */
    public void loadInto(VectorSchemaRoot root, BufferAllocator allocator) {
        try (ArrowRecordBatch batch = asRecordBatch(allocator)) {
            new VectorLoader(root).load(batch);
        }
    }

    private static int checked(Node node, long count, String what) {
        if (count > Integer.MAX_VALUE) {
            throw new UserException(
                    "Column \""
                            + node.path()
                            + "\" has "
                            + count
                            + " "
                            + what
                            + " in one rank's part of a step, and Arrow's limit is "
                            + Integer.MAX_VALUE
                            + "; choose a smaller batch or more ranks.");
        }
        return (int) count;
    }
}
