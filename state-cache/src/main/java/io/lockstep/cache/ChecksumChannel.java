package io.lockstep.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/** Writes to a file and computes the CRC32C of all bytes written. Not thread-safe. */
final class ChecksumChannel implements WritableByteChannel {

    private final FileChannel file;
    private final CRC32C crc = new CRC32C();
    private long bytes;

    ChecksumChannel(FileChannel file) {
        this.file = file;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        ByteBuffer written = source.duplicate();
        while (source.hasRemaining()) {
            file.write(source);
        }
        int count = written.remaining();
        crc.update(written);
        bytes += count;
        return count;
    }

    long bytes() {
        return bytes;
    }

    int crc() {
        return (int) crc.getValue();
    }

    @Override
    public boolean isOpen() {
        return file.isOpen();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
