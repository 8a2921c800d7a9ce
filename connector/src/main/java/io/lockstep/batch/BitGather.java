package io.lockstep.batch;

import org.apache.arrow.memory.util.MemoryUtil;

/** Gathers bits: validity bitmaps, and the values of boolean columns. */
final class BitGather {

    private BitGather() {}

    /**
     * Copies the selected bits.
     *
     * @param from by source, the address of its bits, or 0 if all are set
     * @param to the target address; every byte of the target is overwritten
     */
    static void copy(long[] from, Selection selection, long to) {
        if (selection.uniform() && selection.unit == 1) {
            copySingles(from, selection.source, selection.start, to);
            return;
        }
        MemoryUtil.setMemory(to, Bits.bytes(selection.values), (byte) 0);
        long done = 0;
        for (int i = 0; i < selection.runs(); i++) {
            long address = from[selection.source[i]];
            int count = selection.count(i);
            if (address == 0) {
                Bits.set(to, done, count);
            } else {
                Bits.copy(address, selection.begin(i), to, done, count);
            }
            done += count;
        }
    }

    private static void copySingles(long[] from, int[] source, int[] start, long to) {
        for (int i = 0; i < start.length; ) {
            int bits = 0;
            int end = Math.min(i + Byte.SIZE, start.length);
            for (int at = i; at < end; at++) {
                long address = from[source[at]];
                bits |= (address == 0 ? 1 : Bits.get(address, start[at])) << at - i;
            }
            MemoryUtil.putByte(to + (i >>> 3), (byte) bits);
            i = end;
        }
    }
}
