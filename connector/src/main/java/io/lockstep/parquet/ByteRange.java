package io.lockstep.parquet;

import io.lockstep.footer.ColumnChunk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A part of a file that is fetched at once.
 *
 * @param begin its first byte
 * @param end the byte after its last
 * @param chunks indices of the chunks that lie in it
 */
record ByteRange(long begin, long end, List<Integer> chunks) {

    /** So much that nobody wants is fetched rather than asking once more. */
    private static final long MOST_GAP = 128 * 1024;

    /** Together no more than this, so that what is held undecoded stays small. */
    static final long MOST_TOGETHER = 16 * 1024 * 1024;

    /** The ranges that hold all chunks, in the order of the file. */
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
                            || chunk.begin() - last.end > MOST_GAP
                            || chunk.end() - last.begin > MOST_TOGETHER;
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
