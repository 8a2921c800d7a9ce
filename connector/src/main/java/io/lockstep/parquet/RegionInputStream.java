package io.lockstep.parquet;

import java.io.InputStream;
import org.apache.arrow.memory.util.MemoryUtil;

/** Reads a region as a stream, which ends at the region's end. */
final class RegionInputStream extends InputStream {

    private final Region region;
    private int position;

    RegionInputStream(Region region) {
        this.region = region;
    }

    int position() {
        return position;
    }

    @Override
    public int read() {
        return position < region.length()
                ? MemoryUtil.getByte(region.address() + position++) & 0xff
                : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        int count = Math.min(length, available());
        if (count <= 0) {
            return length == 0 ? 0 : -1;
        }
        MemoryUtil.copyFromMemory(region.address() + position, to, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return region.length() - position;
    }
}
