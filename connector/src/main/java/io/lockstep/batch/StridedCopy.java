package io.lockstep.batch;

import org.apache.arrow.memory.util.MemoryUtil;

/** Copies values at equal distances, with one loop per width. */
final class StridedCopy {

    private StridedCopy() {}

    /**
     * @param fromStride the distance between values in the source, in bytes
     * @param toStride the distance between values in the target, in bytes
     * @param width the size of a value in bytes
     */
    static void copy(long from, int fromStride, long to, int toStride, int width, int count) {
        switch (width) {
            case 1 -> copy1(from, fromStride, to, toStride, count);
            case 2 -> copy2(from, fromStride, to, toStride, count);
            case 4 -> copy4(from, fromStride, to, toStride, count);
            case 8 -> copy8(from, fromStride, to, toStride, count);
            case 16 -> copy16(from, fromStride, to, toStride, count);
            default -> copyAny(from, fromStride, to, toStride, width, count);
        }
    }

    private static void copy1(long from, int fromStride, long to, int toStride, int count) {
        for (int i = 0; i < count; i++) {
            MemoryUtil.putByte(
                    to + (long) i * toStride, MemoryUtil.getByte(from + (long) i * fromStride));
        }
    }

    private static void copy2(long from, int fromStride, long to, int toStride, int count) {
        for (int i = 0; i < count; i++) {
            MemoryUtil.putShort(
                    to + (long) i * toStride, MemoryUtil.getShort(from + (long) i * fromStride));
        }
    }

    private static void copy4(long from, int fromStride, long to, int toStride, int count) {
        for (int i = 0; i < count; i++) {
            MemoryUtil.putInt(
                    to + (long) i * toStride, MemoryUtil.getInt(from + (long) i * fromStride));
        }
    }

    private static void copy8(long from, int fromStride, long to, int toStride, int count) {
        for (int i = 0; i < count; i++) {
            MemoryUtil.putLong(
                    to + (long) i * toStride, MemoryUtil.getLong(from + (long) i * fromStride));
        }
    }

    private static void copy16(long from, int fromStride, long to, int toStride, int count) {
        for (int i = 0; i < count; i++) {
            long read = from + (long) i * fromStride;
            long written = to + (long) i * toStride;
            MemoryUtil.putLong(written, MemoryUtil.getLong(read));
            MemoryUtil.putLong(written + 8, MemoryUtil.getLong(read + 8));
        }
    }

    private static void copyAny(
            long from, int fromStride, long to, int toStride, int width, int count) {
        for (int i = 0; i < count; i++) {
            MemoryUtil.copyMemory(from + (long) i * fromStride, to + (long) i * toStride, width);
        }
    }
}
