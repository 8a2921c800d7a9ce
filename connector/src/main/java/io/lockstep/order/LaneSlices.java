package io.lockstep.order;

/**
 * The slices of a lane in one epoch, made when they are read: a lane of many row groups is located
 * without an object for each. Immutable.
 */
final class LaneSlices {

    private final RowGroups all;
    private final long low;
    private final long high;
    private final int first;
    private final int size;

    /** By index, the slice's number in sequence; null if they are in sequence. */
    private final int[] order;

    /** The slices that cover the positions [low, high), in sequence. */
    LaneSlices(RowGroups all, long low, long high) {
        this(all, low, high, null);
    }

    private LaneSlices(RowGroups all, long low, long high, int[] order) {
        this.all = all;
        this.low = low;
        this.high = high;
        this.first = all.placeOf(low);
        this.size = low < high ? all.placeOf(high - 1) - first + 1 : 0;
        this.order = order;
    }

    /** The same slices in another order. */
    LaneSlices permuted(RandomKey key) {
        return new LaneSlices(all, low, high, RandomStream.permutation(size, key));
    }

    int size() {
        return size;
    }

    long rows(int index) {
        int place = place(index);
        return Math.min(high, all.end(place)) - Math.max(low, all.start(place));
    }

    Slice[] range(int from, int to) {
        Slice[] slices = new Slice[to - from];
        for (int i = from; i < to; i++) {
            slices[i - from] = all.slice(place(i), low, high);
        }
        return slices;
    }

    private int place(int index) {
        return first + (order == null ? index : order[index]);
    }
}
