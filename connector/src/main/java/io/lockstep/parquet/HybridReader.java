package io.lockstep.parquet;

import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Decodes the hybrid of run-length encoding and bit packing used for levels, dictionary indices and
 * booleans (format document Encodings, "RLE"). Not thread-safe.
 */
final class HybridReader {

    private final int width;
    private final int mask;
    private final long last;
    private long position;

    /** The number of values left in the current run. */
    private int run;

    private boolean packed;
    private int repeated;

    /** The address of the bit-packed run, and the bit at which its next value begins. */
    private long packedAddress;

    private long packedBit;

    /**
     * @param width the bit width of a value, at most 32
     */
    HybridReader(Region region, int width) throws IOException {
        if (width > Integer.SIZE) {
            throw new IOException("its values are packed in " + width + " bits");
        }
        this.width = width;
        this.mask = width == Integer.SIZE ? -1 : (1 << width) - 1;
        this.position = region.address();
        this.last = region.address() + region.length();
    }

    /**
     * Returns whether the next {@code count} values all equal {@code value}. Does not consume them.
     */
    boolean isNext(int value, int count) throws IOException {
        if (run == 0) {
            nextRun();
        }
        return !packed && run >= count && repeated == value;
    }

    void read(int[] to, int offset, int count) throws IOException {
        int done = offset;
        int end = offset + count;
        while (done < end) {
            if (run == 0) {
                nextRun();
            }
            int part = Math.min(run, end - done);
            if (packed) {
                unpack(to, done, part);
            } else {
                Arrays.fill(to, done, done + part, repeated);
            }
            run -= part;
            done += part;
        }
    }

    /** Like the other overload, for values that fit in a byte. */
    void read(byte[] to, int count) throws IOException {
        int done = 0;
        while (done < count) {
            if (run == 0) {
                nextRun();
            }
            int part = Math.min(run, count - done);
            if (packed) {
                unpack(to, done, part);
            } else {
                Arrays.fill(to, done, done + part, (byte) repeated);
            }
            run -= part;
            done += part;
        }
    }

    /**
     * A value spans at most eight bytes from where it begins: up to seven leading bits and 32 of
     * its own.
     */
    private void unpack(int[] to, int offset, int count) {
        long address = packedAddress;
        long bit = packedBit;
        int bits = width;
        int keep = mask;
        for (int i = offset; i < offset + count; i++) {
            to[i] = (int) (MemoryUtil.getLong(address + (bit >>> 3)) >>> (bit & 7)) & keep;
            bit += bits;
        }
        packedBit = bit;
    }

    private void unpack(byte[] to, int offset, int count) {
        long address = packedAddress;
        long bit = packedBit;
        int bits = width;
        int keep = mask;
        int i = offset;
        int end = offset + count;
        if (bits == 1 && (bit & 7) == 0) {
            for (; i + Byte.SIZE <= end; i += Byte.SIZE) {
                Levels.ofBits(to, i, MemoryUtil.getByte(address + (bit >>> 3)));
                bit += Byte.SIZE;
            }
        }
        for (; i < end; i++) {
            to[i] = (byte) ((MemoryUtil.getInt(address + (bit >>> 3)) >>> (bit & 7)) & keep);
            bit += bits;
        }
        packedBit = bit;
    }

    private void nextRun() throws IOException {
        do {
            long header = readVarint();
            packed = (header & 1) == 1;
            if (packed) {
                beginPacked(header >>> 1);
            } else {
                run = (int) Math.min(header >>> 1, Integer.MAX_VALUE);
                repeated = 0;
                for (int shift = 0; shift < width; shift += Byte.SIZE) {
                    repeated |= readByte() << shift;
                }
            }
        } while (run == 0);
    }

    /**
     * Begins a run of groups of eight values. The last group may be truncated at the end of the
     * page.
     */
    private void beginPacked(long groups) {
        long bytes = Math.min(groups * width, last - position);
        long values = width == 0 ? groups * 8 : Math.min(groups * 8, bytes * 8 / width);
        run = (int) Math.min(values, Integer.MAX_VALUE);
        packedAddress = position;
        packedBit = 0;
        position += bytes;
    }

    private long readVarint() throws IOException {
        long value = 0;
        for (int shift = 0; shift <= Integer.SIZE; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IOException("the length of a run is damaged");
    }

    private int readByte() throws IOException {
        if (position >= last) {
            throw new IOException("the levels or indices of a page end too early");
        }
        return MemoryUtil.getByte(position++) & 0xff;
    }
}
