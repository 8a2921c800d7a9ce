package io.lockstep.batch;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/**
 * The offsets of the buffers in the body of a record batch, as specified by Arrow's IPC format:
 * contiguous, each at a multiple of 64 bytes. Validity bitmaps without nulls are omitted.
 */
final class BodyLayout {

    private final BatchShape shape;
    private final int[] values;
    private final int[] nulls;
    private final long[] offsets;
    private final long[] lengths;
    private final long bytes;
    private final boolean dense;

    /**
     * @param values by node, the number of values
     * @param nulls by node, an upper bound of the number of nulls
     * @param bytes by node, the total size of its values if these have variable size
     */
    BodyLayout(BatchShape shape, int[] values, int[] nulls, long[] bytes) {
        this.shape = shape;
        this.values = values;
        this.nulls = nulls;
        this.offsets = new long[shape.buffers()];
        this.lengths = new long[shape.buffers()];
        for (Node node : shape.nodes()) {
            int i = node.index();
            lengths[node.validityBuffer()] = nulls[i] == 0 ? 0 : Bits.bytes(values[i]);
            if (node.hasOffsets()) {
                lengths[node.offsetsBuffer()] = (values[i] + 1L) * Integer.BYTES;
            }
            switch (node.kind()) {
                case BITS -> lengths[node.dataBuffer()] = Bits.bytes(values[i]);
                case FIXED -> lengths[node.dataBuffer()] = (long) values[i] * node.width();
                case VARIABLE -> lengths[node.dataBuffer()] = bytes[i];
                default -> {}
            }
        }
        long end = 0;
        for (int i = 0; i < lengths.length; i++) {
            offsets[i] = end;
            end = Allocators.roundUp(end + lengths[i]);
        }
        this.bytes = end;
        this.dense = Arrays.stream(nulls).allMatch(some -> some == 0);
    }

    private BodyLayout(BodyLayout same, int[] nulls) {
        this.shape = same.shape;
        this.values = same.values;
        this.nulls = nulls;
        this.offsets = same.offsets;
        this.lengths = same.lengths.clone();
        this.bytes = same.bytes;
        this.dense = same.dense;
        for (Node node : shape.nodes()) {
            if (nulls[node.index()] == 0) {
                lengths[node.validityBuffer()] = 0;
            }
        }
    }

    /**
     * Returns the same layout with the actual number of nulls, which may be lower than the bound.
     */
    BodyLayout withNulls(int[] counted) {
        return new BodyLayout(this, counted);
    }

    BatchShape shape() {
        return shape;
    }

    /** Returns the number of rows. Every batch has columns, and its first node is one. */
    int rows() {
        return values[0];
    }

    int values(Node node) {
        return values[node.index()];
    }

    int nulls(Node node) {
        return nulls[node.index()];
    }

    /** Returns whether there are no nulls and no space is reserved for an omitted bitmap. */
    boolean isDense() {
        return dense;
    }

    /** Returns, for each node, the number of values and the upper bound of the number of nulls. */
    long[] counts() {
        long[] counts = new long[2 * values.length];
        for (int i = 0; i < values.length; i++) {
            counts[2 * i] = values[i];
            counts[2 * i + 1] = nulls[i];
        }
        return counts;
    }

    /** Returns the offset of a buffer, in bytes from the start of the body. */
    long offset(int buffer) {
        return offsets[buffer];
    }

    /** Fills the padding after each buffer with zeros. */
    void clearGaps(long body) {
        for (int i = 0; i < offsets.length; i++) {
            long end = offsets[i] + lengths[i];
            long next = i + 1 < offsets.length ? offsets[i + 1] : bytes;
            MemoryUtil.setMemory(body + end, next - end, (byte) 0);
        }
    }

    /** Returns the size of the body in bytes, a multiple of 64. */
    long bytes() {
        return bytes;
    }

    /**
     * Returns the batch as an Arrow Java record batch, whose buffers are views of the body and
     * retain it.
     */
    ArrowRecordBatch recordBatch(ArrowBuf body) {
        List<ArrowFieldNode> nodes = new ArrayList<>();
        for (Node node : shape.nodes()) {
            nodes.add(new ArrowFieldNode(values(node), nulls(node)));
        }
        List<ArrowBuf> buffers = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            buffers.add(body.slice(offsets[i], lengths[i]));
        }
        return new ArrowRecordBatch(rows(), nodes, buffers);
    }

    /** Returns the FlatBuffers metadata of the batch's IPC message, without the prefix. */
    ByteBuffer metadata() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        // FlatBuffers are built from the end.
        RecordBatch.startNodesVector(builder, values.length);
        for (int i = values.length - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, values[i], nulls[i]);
        }
        int nodesVector = builder.endVector();
        RecordBatch.startBuffersVector(builder, lengths.length);
        for (int i = lengths.length - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, offsets[i], lengths[i]);
        }
        int buffersVector = builder.endVector();
        RecordBatch.startRecordBatch(builder);
        RecordBatch.addLength(builder, rows());
        RecordBatch.addNodes(builder, nodesVector);
        RecordBatch.addBuffers(builder, buffersVector);
        int batch = RecordBatch.endRecordBatch(builder);
        return MessageSerializer.serializeMessage(
                builder, MessageHeader.RecordBatch, batch, bytes, IpcOption.DEFAULT);
    }
}
