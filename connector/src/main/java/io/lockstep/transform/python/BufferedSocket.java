package io.lockstep.transform.python;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;

/**
 * A socket with a buffer for each direction: Arrow reads and writes a batch in many small pieces.
 * What is written reaches the other end with {@link #flush}. Used by one thread; any thread may
 * {@link #disconnect} it.
 */
final class BufferedSocket implements ByteChannel {

    private static final int CAPACITY = 1 << 18;

    private final SocketChannel socket;
    private final ByteBuffer output = ByteBuffer.allocateDirect(CAPACITY);
    private final ByteBuffer input = ByteBuffer.allocateDirect(CAPACITY).flip();

    BufferedSocket(SocketChannel socket) {
        this.socket = socket;
    }

    /** Writes all bytes. */
    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        if (count > output.remaining()) {
            flush();
        }
        if (count > output.remaining()) {
            writeAll(bytes);
        } else {
            output.put(bytes);
        }
        return count;
    }

    /** Sends what has been written. */
    void flush() throws IOException {
        output.flip();
        writeAll(output);
        output.clear();
    }

    private void writeAll(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
        if (!input.hasRemaining()) {
            if (bytes.remaining() >= CAPACITY) {
                return socket.read(bytes);
            }
            input.clear();
            int count = socket.read(input);
            input.flip();
            if (count < 0) {
                return count;
            }
        }
        int count = Math.min(input.remaining(), bytes.remaining());
        bytes.put(input.slice(input.position(), count));
        input.position(input.position() + count);
        return count;
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    /** Does nothing: a stream of rows closes its channel, and more frames follow. */
    @Override
    public void close() {}

    /** Closes the socket; a pending read or write fails. */
    void disconnect() throws IOException {
        socket.close();
    }
}
