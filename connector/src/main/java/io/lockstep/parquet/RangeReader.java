package io.lockstep.parquet;

import io.lockstep.RemoteCalls;
import io.lockstep.footer.DataFile;
import java.io.EOFException;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

/**
 * Reads ranges of one file into memory. A remote file system that does not answer is logged. Not
 * thread-safe.
 */
final class RangeReader implements AutoCloseable {

    /**
     * The size of a single read. Object stores in random access mode answer each read with one
     * request.
     */
    private static final int MAX = 4 * 1024 * 1024;

    private final Path path;
    private final FSDataInputStream in;
    private byte[] piece = new byte[0];

    RangeReader(Path path) throws IOException {
        this.path = path;
        this.in = RemoteCalls.call(path, () -> DataFile.open(path.getFileSystem(), path));
    }

    /**
     * Returns the bytes of a range, followed by {@link Region#SLACK} bytes. The caller closes the
     * buffer.
     */
    ArrowBuf read(ByteRange range, BufferAllocator allocator) throws IOException {
        return RemoteCalls.call(path, () -> readNow(range, allocator));
    }

    private ArrowBuf readNow(ByteRange range, BufferAllocator allocator) throws IOException {
        in.seek(range.begin());
        int most = (int) Math.min(MAX, range.length());
        if (piece.length < most) {
            piece = new byte[most];
        }
        ArrowBuf buffer = allocator.buffer(range.length() + Region.SLACK);
        try {
            long done = 0;
            while (done < range.length()) {
                int count = in.read(piece, 0, (int) Math.min(piece.length, range.length() - done));
                if (count < 0) {
                    throw new EOFException(
                            path
                                    + " ended at byte "
                                    + (range.begin() + done)
                                    + " while it was read");
                }
                buffer.setBytes(done, piece, 0, count);
                done += count;
            }
            return buffer;
        } catch (IOException | RuntimeException e) {
            buffer.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
