package io.lockstep.batch;

import io.lockstep.batch.Node.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The layout of fixed-width columns within a packed row. Columns whose width is divisible by a
 * larger power of two come first, so that each is aligned; they are followed by a bit per column, 1
 * if the column has a value. The layout depends only on the columns.
 */
final class RowLayout {

    /**
     * Rows of at least this size are padded to a multiple of 8 bytes, which copies faster. Shorter
     * rows would grow too much.
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

    /** Returns whether packing pays off. */
    boolean isWorthwhile() {
        return columns.size() > 1;
    }

    /** Returns the columns in the order in which a row stores them. */
    List<Node> columns() {
        return columns;
    }

    /** Describes the layout; another layout can read the rows only if its description is equal. */
    @Override
    public String toString() {
        return columns.stream()
                .map(column -> column.path() + ":" + column.width())
                .collect(Collectors.joining(","));
    }

    boolean contains(Node node) {
        return indexes.get(node.index());
    }

    /** Returns the offset of the i-th column, in bytes from the start of the row. */
    int offset(int i) {
        return offsets[i];
    }

    /**
     * Returns the offset of the byte with the i-th column's bit, in bytes from the start of the
     * row.
     */
    int bitOffset(int i) {
        return bits + (i >>> 3);
    }

    /** Returns the index of the bit within that byte. */
    int bit(int i) {
        return i & 7;
    }

    /** Returns the distance between rows, in bytes. */
    int stride() {
        return stride;
    }
}
