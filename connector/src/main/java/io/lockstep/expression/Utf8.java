package io.lockstep.expression;

import org.apache.arrow.memory.util.MemoryUtil;

/** Strings in memory, in UTF-8. */
final class Utf8 {

    private Utf8() {}

    /** Compares by unsigned bytes, which is the order of code points. */
    static int compare(long one, int oneLength, long other, int otherLength) {
        int common = Math.min(oneLength, otherLength);
        int i = 0;
        for (; i + Long.BYTES <= common; i += Long.BYTES) {
            long a = MemoryUtil.getLong(one + i);
            long b = MemoryUtil.getLong(other + i);
            if (a != b) {
                return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
            }
        }
        for (; i < common; i++) {
            int order = unsigned(one + i) - unsigned(other + i);
            if (order != 0) {
                return order;
            }
        }
        return oneLength - otherLength;
    }

    private static int unsigned(long address) {
        return MemoryUtil.getByte(address) & 0xFF;
    }
}
