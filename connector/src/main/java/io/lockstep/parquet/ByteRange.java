package io.lockstep.parquet;

import io.lockstep.footer.ColumnChunk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A part of a file that is fetched in one piece.
 *
 * @param begin the first byte
 * @param end the byte after the last one
 * @param chunks the indices of the chunks in the range
 */
record ByteRange(long begin, long end, List<Integer> chunks) {

    /** The largest unneeded gap that is fetched to save a request. */
    private static final long MAX_GAP = 128 * 1024;

    /** The maximum size of a combined range, which bounds the undecoded bytes in memory. */
    static final long MAX_TOGETHER = 16 * 1024 * 1024;

    /** Returns the ranges that cover all chunks, in file order. */
    static List<ByteRange> of(List<ColumnChunk> chunks) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingLong(i -> chunks.get(i).begin()));
        List<ByteRange> ranges = new ArrayList<>();
        ByteRange last = null;
        for (int index : order) {
            ColumnChunk chunk = chunks.get(index);
            boolean apart =
                    last == null
                            || chunk.begin() - last.end > MAX_GAP
                            || chunk.end() - last.begin > MAX_TOGETHER;
            if (apart) {
                last = new ByteRange(chunk.begin(), chunk.end(), new ArrayList<>());
            } else {
                ranges.remove(ranges.size() - 1);
                last = new ByteRange(last.begin, Math.max(last.end, chunk.end()), last.chunks);
            }
            last.chunks.add(index);
            ranges.add(last);
        }
        return ranges;
    }

    long length() {
        return end - begin;
    }
}
