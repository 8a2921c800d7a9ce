package io.lockstep.batch;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Gathers values of whole bytes. Each width has its own loop of only loads and stores, so that many
 * cache misses are in flight at once: the cost of a gather is cache misses, not copying.
 */
final class ByteGather {

    private ByteGather() {}

    /**
     * Copies the selected values contiguously.
     *
     * @param from by source, the address of its values
     * @param width the size of a value in bytes
     */
    static void copy(long[] from, Selection selection, int width, long to) {
        if (!selection.uniform()) {
            copyRuns(from, selection, width, to);
            return;
        }
        int[] source = selection.source;
        int[] start = selection.start;
        switch (width * selection.unit) {
            case 1 -> copy1(from, source, start, to);
            case 2 -> copy2(from, source, start, to);
            case 4 -> copy4(from, source, start, to);
            case 8 -> copy8(from, source, start, to);
            case 16 -> copy16(from, source, start, to);
            default -> copyAny(from, source, start, width * selection.unit, to);
        }
    }

    /** Writes the offsets of the selected lists or strings, starting at 0. */
    static void copyOffsets(long[] from, Selection selection, long to) {
        int offset = 0;
        long next = to;
        MemoryUtil.putInt(next, offset);
        for (int i = 0; i < selection.runs(); i++) {
            long at = from[selection.source[i]] + selection.begin(i) * Integer.BYTES;
            int count = selection.count(i);
            int begin = MemoryUtil.getInt(at);
            for (int k = 1; k <= count; k++) {
                next += Integer.BYTES;
                int end = MemoryUtil.getInt(at + (long) k * Integer.BYTES);
                MemoryUtil.putInt(next, offset + end - begin);
            }
            offset = MemoryUtil.getInt(next);
        }
    }

    private static void copyRuns(long[] from, Selection selection, int width, long to) {
        long next = to;
        for (int i = 0; i < selection.runs(); i++) {
            long bytes = (long) selection.length[i] * width;
            MemoryUtil.copyMemory(
                    from[selection.source[i]] + (long) selection.start[i] * width, next, bytes);
            next += bytes;
        }
    }

    private static void copy1(long[] from, int[] source, int[] start, long to) {
        for (int i = 0; i < start.length; i++) {
            MemoryUtil.putByte(to + i, MemoryUtil.getByte(from[source[i]] + start[i]));
        }
    }

    private static void copy2(long[] from, int[] source, int[] start, long to) {
        for (int i = 0; i < start.length; i++) {
            MemoryUtil.putShort(to + 2L * i, MemoryUtil.getShort(from[source[i]] + 2L * start[i]));
        }
    }

    private static void copy4(long[] from, int[] source, int[] start, long to) {
        for (int i = 0; i < start.length; i++) {
            MemoryUtil.putInt(to + 4L * i, MemoryUtil.getInt(from[source[i]] + 4L * start[i]));
        }
    }

    private static void copy8(long[] from, int[] source, int[] start, long to) {
        for (int i = 0; i < start.length; i++) {
            MemoryUtil.putLong(to + 8L * i, MemoryUtil.getLong(from[source[i]] + 8L * start[i]));
        }
    }

    private static void copy16(long[] from, int[] source, int[] start, long to) {
        for (int i = 0; i < start.length; i++) {
            long at = from[source[i]] + 16L * start[i];
            MemoryUtil.putLong(to + 16L * i, MemoryUtil.getLong(at));
            MemoryUtil.putLong(to + 16L * i + 8, MemoryUtil.getLong(at + 8));
        }
    }

    private static void copyAny(long[] from, int[] source, int[] start, int bytes, long to) {
        for (int i = 0; i < start.length; i++) {
            MemoryUtil.copyMemory(
                    from[source[i]] + (long) bytes * start[i], to + (long) bytes * i, bytes);
        }
    }
}
