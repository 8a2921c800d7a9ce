package io.lockstep.order;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The sequence of non-empty row groups that is divided among the lanes. Immutable.
 *
 * <p>Built in one pass over the row groups. A lane's slices and a sample's position are then found
 * by binary search.
 */
final class RowGroups {

    /** The row group at each index of the sequence. */
    private final int[] groups;

    /** The number of rows before each index; the last entry is the total. */
    private final long[] before;

    /** The index of each row group in the sequence, -1 for empty ones. */
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

    /** Returns the row groups in canonical order. */
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

    /** Returns the row groups permuted by a key. */
    static RowGroups permuted(long[] rows, RandomKey key) {
        int[] canonical = canonical(rows).groups;
        int[] order = RandomStream.permutation(canonical.length, key);
        int[] groups = new int[canonical.length];
        for (int place = 0; place < groups.length; place++) {
            groups[place] = canonical[order[place]];
        }
        return new RowGroups(groups, rows);
    }

    /** Returns the position of a row in the sequence of all rows. */
    long position(int group, long row) {
        return before[places[group]] + row;
    }

    /** Returns the row groups as windows of one each, made when they are read. */
    List<Window> windows(OrderSettings settings, long epoch, int lane) {
        return new WindowPerRowGroup(settings, epoch, lane);
    }

    /** Returns the position of each row group's first row; the last entry is the total. */
    long[] firstPositions() {
        return before;
    }

    /** Returns the part of the row group at a place that lies in the positions [low, high). */
    Slice slice(int place, long low, long high) {
        long at = start(place);
        return new Slice(groups[place], Math.max(low, at) - at, Math.min(high, end(place)) - at);
    }

    /** Returns the position of the first row at a place. */
    long start(int place) {
        return before[place];
    }

    /** Returns the position after the last row at a place. */
    long end(int place) {
        return before[place + 1];
    }

    /** Returns the place of the row group that contains a position. */
    int placeOf(long position) {
        int found = Arrays.binarySearch(before, position);
        return found >= 0 ? found : -found - 2;
    }

    /** Takes no memory per row group, because every lane has all of them. */
    private final class WindowPerRowGroup extends AbstractList<Window> implements RandomAccess {

        private final OrderSettings settings;
        private final long epoch;
        private final int lane;

        WindowPerRowGroup(OrderSettings settings, long epoch, int lane) {
            this.settings = settings;
            this.epoch = epoch;
            this.lane = lane;
        }

        @Override
        public Window get(int number) {
            Objects.checkIndex(number, groups.length);
            Slice[] whole = {slice(number, start(number), end(number))};
            return new Window(settings, epoch, lane, number, start(number), whole);
        }

        @Override
        public int size() {
            return groups.length;
        }
    }
}
