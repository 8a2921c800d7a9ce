package io.lockstep.batch;

import io.lockstep.batch.Node.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the columns of a fixed width lie side by side in a row: those first that a larger power of
 * two divides, so that each is aligned; then a bit for each column, 1 where it has a value. It
 * follows from the columns alone.
 */
final class RowLayout {

    /**
     * From this length on, rows begin at multiples of 8, which copies faster; shorter ones would
     * grow too much.
     */
    private static final int ALIGNED_FROM = 128;

    private final List<Node> columns;
    private final BitSet indexes = new BitSet();
    private final int[] offsets;
    private final int bits;
    private final int stride;

    /**
     * @param candidates the nodes that are columns of the data
     */
    RowLayout(List<Node> candidates) {
        List<Node> fixed =
                new ArrayList<>(candidates.stream().filter(n -> n.kind() == Kind.FIXED).toList());
        fixed.sort(Comparator.comparingInt(node -> -Integer.lowestOneBit(node.width())));
        this.columns = List.copyOf(fixed);
        this.offsets = new int[columns.size()];
        int end = 0;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = end;
            end += columns.get(i).width();
            indexes.set(columns.get(i).index());
        }
        this.bits = end;
        int length = end + (int) Bits.bytes(offsets.length);
        this.stride = length < ALIGNED_FROM ? length : length + 7 & -8;
    }

    /** Whether there is anything to lay side by side. */
    boolean worthwhile() {
        return columns.size() > 1;
    }

    /** The columns in the order in which a row holds them. */
    List<Node> columns() {
        return columns;
    }

    /** What lies where; rows can be read by another layout only where this is the same. */
    @Override
    public String toString() {
        return columns.stream()
                .map(column -> column.path() + ":" + column.width())
                .collect(Collectors.joining(","));
    }

    boolean contains(Node node) {
        return indexes.get(node.index());
    }

    /** Where the i-th of the columns lies, in bytes from the start of the row. */
    int offset(int i) {
        return offsets[i];
    }

    /** Where the byte with the bit of the i-th column lies, in bytes from the start of the row. */
    int bitOffset(int i) {
        return bits + (i >>> 3);
    }

    /** Which bit of that byte it is. */
    int bit(int i) {
        return i & 7;
    }

    /** The bytes from one row to the next. */
    int stride() {
        return stride;
    }
}
