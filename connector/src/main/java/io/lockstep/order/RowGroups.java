package io.lockstep.order;

import java.util.Arrays;

/**
 * The row groups that have rows, in the sequence from which the lanes are cut. Immutable.
 *
 * <p>Made with one pass over the row groups; a lane's slices and a sample's place then follow by
 * binary search.
 */
final class RowGroups {

    /** Row group of each place of the sequence. */
    private final int[] groups;

    /** Rows before each place, and after the last. */
    private final long[] before;

    /** Place of each row group; -1 for those without rows. */
    private final int[] places;

    private RowGroups(int[] groups, long[] rows) {
        this.groups = groups;
        this.before = new long[groups.length + 1];
        this.places = new int[rows.length];
        Arrays.fill(places, -1);
        for (int place = 0; place < groups.length; place++) {
            before[place + 1] = before[place] + rows[groups[place]];
            places[groups[place]] = place;
        }
    }

    /** In canonical order. */
    static RowGroups canonical(long[] rows) {
        int[] groups = new int[rows.length];
        int count = 0;
        for (int group = 0; group < rows.length; group++) {
            if (rows[group] > 0) {
                groups[count++] = group;
            }
        }
        return new RowGroups(Arrays.copyOf(groups, count), rows);
    }

    /** Permuted under a key. */
    static RowGroups permuted(long[] rows, RandomKey key) {
        int[] canonical = canonical(rows).groups;
        int[] order = RandomStream.permutation(canonical.length, key);
        int[] groups = new int[canonical.length];
        for (int place = 0; place < groups.length; place++) {
            groups[place] = canonical[order[place]];
        }
        return new RowGroups(groups, rows);
    }

    /** Where a row stands in the sequence of all rows. */
    long position(int group, long row) {
        return before[places[group]] + row;
    }

    /** The slices of the positions [low, high), in sequence. */
    Slice[] cut(long low, long high) {
        int first = placeOf(low);
        Slice[] slices = new Slice[low < high ? placeOf(high - 1) - first + 1 : 0];
        for (int i = 0; i < slices.length; i++) {
            long at = before[first + i];
            long end = before[first + i + 1];
            slices[i] =
                    new Slice(groups[first + i], Math.max(low, at) - at, Math.min(high, end) - at);
        }
        return slices;
    }

    private int placeOf(long position) {
        int found = Arrays.binarySearch(before, position);
        return found >= 0 ? found : -found - 2;
    }
}
