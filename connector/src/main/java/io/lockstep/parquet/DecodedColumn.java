package io.lockstep.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** The nodes and buffers of one column, in the order of an Arrow record batch. Owns the buffers. */
final class DecodedColumn implements AutoCloseable {

    private final List<ArrowFieldNode> nodes = new ArrayList<>();
    private final List<ArrowBuf> buffers = new ArrayList<>();

    void add(ArrowFieldNode node) {
        nodes.add(node);
    }

    /** Adds a buffer and takes over the reference. */
    void add(ArrowBuf buffer) {
        buffers.add(buffer);
    }

    List<ArrowFieldNode> nodes() {
        return nodes;
    }

    List<ArrowBuf> buffers() {
        return buffers;
    }

    @Override
    public void close() {
        buffers.forEach(ArrowBuf::close);
        buffers.clear();
    }
}
