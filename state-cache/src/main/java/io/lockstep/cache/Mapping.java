package io.lockstep.cache;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A whole file mapped for reading, as memory that Arrow frees with the last reference. The file is
 * then unmapped immediately rather than by the garbage collector, which frees the disk space of a
 * deleted file.
 */
final class Mapping extends ForeignAllocation {

    private final MappedByteBuffer buffer;

    private Mapping(MappedByteBuffer buffer) {
        super(buffer.capacity(), MemoryUtil.getByteBufferAddress(buffer));
        this.buffer = buffer;
    }

    /**
     * Maps the first bytes of a file, at most 2 GiB - 1. The mapping outlives the channel.
     *
     * @param bytes at most the file's length
     */
    static Mapping of(FileChannel channel, long bytes) throws IOException {
        return new Mapping(channel.map(MapMode.READ_ONLY, 0, bytes));
    }

    @Override
    protected void release0() {
        Unmapper.unmap(buffer);
    }
}
