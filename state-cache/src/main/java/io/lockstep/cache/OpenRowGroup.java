package io.lockstep.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The file of a row group, open and mapped. The channel stays open with the mapping, so that the
 * length can be compared after every use and the content can be read again even if the file was
 * deleted.
 */
final class OpenRowGroup {

    private final RowGroupFile file;
    private final FileChannel channel;
    private final VectorSchemaRoot root;

    private OpenRowGroup(RowGroupFile file, FileChannel channel, VectorSchemaRoot root) {
        this.file = file;
        this.channel = channel;
        this.root = root;
    }

    /** Takes ownership of the channel; closes it if mapping fails. */
    static OpenRowGroup map(RowGroupFile file, FileChannel channel, BufferAllocator allocator)
            throws IOException {
        try {
            return new OpenRowGroup(file, channel, file.map(channel, allocator));
        } catch (Throwable t) {
            channel.close();
            throw t;
        }
    }

    VectorSchemaRoot root() {
        return root;
    }

    /** Compares the content with what was written, by reading the file. */
    Optional<Damage> check() throws IOException {
        return file.check(channel);
    }

    /**
     * Compares the length, which costs a system call.
     *
     * @return the damage, or empty
     */
    Optional<Damage> checkLength() throws IOException {
        long size = channel.size();
        return size == file.bytes() ? Optional.empty() : Optional.of(file.otherLength(size));
    }

    /** Unmaps and closes the file. */
    void close() throws IOException {
        root.close();
        channel.close();
    }
}
