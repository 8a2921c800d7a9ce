package io.lockstep.transform.python;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.util.TransferPair;

/**
 * The job's end of the socket to a worker; {@code lockstep/worker/__init__.py} defines the frames.
 * Used by one thread at a time; closing it from another ends a pending call with an exception.
 */
final class WorkerChannel implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Tracebacks have a few KB. */
    private static final int MAX_FRAME = 1 << 24;

    private final BufferedSocket socket;

    WorkerChannel(SocketChannel socket) {
        this.socket = new BufferedSocket(socket);
    }

    /** Writes a frame, which is sent together with its rows. */
    void send(byte[] text) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + text.length);
        bytes.putInt(text.length).put(text).flip();
        socket.write(bytes);
    }

    /** Sends the frame with its rows, which the caller closes. */
    void send(VectorSchemaRoot rows) throws IOException {
        ArrowStreamWriter writer = new ArrowStreamWriter(rows, null, socket);
        try (writer) {
            writer.start();
            writer.writeBatch();
        }
        socket.flush();
    }

    /** Receives a frame. */
    JsonNode receive() throws IOException {
        int length = read(Integer.BYTES).getInt();
        if (length < 0 || length > MAX_FRAME) {
            throw new IOException("a frame of " + length + " bytes");
        }
        return JSON.readTree(read(length).array());
    }

    private ByteBuffer read(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (socket.read(bytes) < 0) {
                throw new EOFException("the worker has closed its socket");
            }
        }
        return bytes.flip();
    }

    /**
     * Receives the rows that belong to the frame.
     *
     * @return which the caller closes
     */
    VectorSchemaRoot receiveRows(BufferAllocator allocator) throws IOException {
        ArrowStreamReader reader = new ArrowStreamReader(socket, allocator);
        try {
            if (!reader.loadNextBatch()) {
                throw new EOFException("the worker sent no rows");
            }
            VectorSchemaRoot received = reader.getVectorSchemaRoot();
            List<FieldVector> vectors = new ArrayList<>();
            for (FieldVector vector : received.getFieldVectors()) {
                TransferPair pair = vector.getTransferPair(vector.getField(), allocator);
                pair.transfer();
                vectors.add((FieldVector) pair.getTo());
            }
            VectorSchemaRoot rows =
                    new VectorSchemaRoot(received.getSchema(), vectors, received.getRowCount());
            try {
                if (reader.loadNextBatch()) {
                    throw new IOException("the worker sent more rows than one batch");
                }
                return rows;
            } catch (Throwable t) {
                rows.close();
                throw t;
            }
        } finally {
            reader.close(false);
        }
    }

    @Override
    public void close() throws IOException {
        socket.disconnect();
    }
}
