package io.lockstep.order;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/** One lane's part of one epoch: its windows and the mapping from steps to rows. Immutable. */
public final class LaneEpoch {

    private final int perLane;

    /** The positions from one step to the next; the lane's own rows, or those of all lanes. */
    private final int stride;

    /** The position of the first row of step 0. */
    private final long offset;

    private final long epoch;
    private final int lane;
    private final List<Window> windows;
    private final long[] firstPositions;
    private final long rows;

    private LaneEpoch(
            OrderSettings settings,
            long epoch,
            int lane,
            int stride,
            long offset,
            List<Window> windows,
            long[] firstPositions,
            long rows) {
        this.perLane = settings.perLane();
        this.stride = stride;
        this.offset = offset;
        this.epoch = epoch;
        this.lane = lane;
        this.windows = windows;
        this.firstPositions = firstPositions;
        this.rows = rows;
    }

    /**
     * A lane that reads its own slices one after the other.
     *
     * @throws OrderException if a window has too many rows
     */
    static LaneEpoch of(OrderSettings settings, long epoch, int lane, LaneSlices slices) {
        int[] cuts = cuts(slices.size(), settings.window(), lane, settings.lanes());
        long[] firstPositions = new long[cuts.length - 1];
        long position = 0;
        for (int number = 0; number + 1 < cuts.length; number++) {
            firstPositions[number] = position;
            for (int i = cuts[number]; i < cuts[number + 1]; i++) {
                position += slices.rows(i);
            }
            Window.checkRows(number, lane, position - firstPositions[number]);
        }
        return new LaneEpoch(
                settings,
                epoch,
                lane,
                settings.perLane(),
                0,
                new Windows(settings, epoch, lane, slices, cuts, firstPositions),
                firstPositions,
                position);
    }

    /** The windows of a lane's own slices, made when they are read. */
    private static final class Windows extends AbstractList<Window> implements RandomAccess {

        private final OrderSettings settings;
        private final long epoch;
        private final int lane;
        private final LaneSlices slices;
        private final int[] cuts;
        private final long[] firstPositions;

        Windows(
                OrderSettings settings,
                long epoch,
                int lane,
                LaneSlices slices,
                int[] cuts,
                long[] firstPositions) {
            this.settings = settings;
            this.epoch = epoch;
            this.lane = lane;
            this.slices = slices;
            this.cuts = cuts;
            this.firstPositions = firstPositions;
        }

        @Override
        public Window get(int number) {
            Objects.checkIndex(number, firstPositions.length);
            Slice[] own = slices.range(cuts[number], cuts[number + 1]);
            return new Window(settings, epoch, lane, number, firstPositions[number], own);
        }

        @Override
        public int size() {
            return firstPositions.length;
        }
    }

    /** A lane that reads its part of each global batch from the whole dataset. */
    static LaneEpoch sequential(
            OrderSettings settings, long epoch, int lane, RowGroups all, long rows) {
        return new LaneEpoch(
                settings,
                epoch,
                lane,
                settings.batch(),
                (long) lane * settings.perLane(),
                all.windows(settings, epoch, lane),
                all.firstPositions(),
                rows);
    }

    /**
     * Returns the slice indices at which windows begin: the first window is staggered by lane, the
     * rest are of nearly equal size.
     */
    private static int[] cuts(int slices, int size, int lane, int lanes) {
        if (slices <= size) {
            return slices == 0 ? new int[] {0} : new int[] {0, slices};
        }
        int first = size - (int) ((long) lane * size / lanes);
        int rest = slices - first;
        int count = (rest + size - 1) / size;
        int[] cuts = new int[count + 2];
        for (int i = 0; i <= count; i++) {
            cuts[i + 1] = first + (int) ((long) i * rest / count);
        }
        return cuts;
    }

    public long epoch() {
        return epoch;
    }

    public int lane() {
        return lane;
    }

    /**
     * Returns the number of rows that the lane reads from: with {@link Shuffle#SEQUENTIAL}, those
     * of the dataset. Steps beyond them repeat rows from the beginning as padding.
     */
    public long rows() {
        return rows;
    }

    /** Returns the windows, in order; each is made when it is read. */
    public List<Window> windows() {
        return windows;
    }

    /**
     * Returns the index of the window that contains a position of the lane, 0 &lt;= position &lt;
     * rows.
     */
    public int windowAt(long position) {
        int found = Arrays.binarySearch(firstPositions, position);
        return found >= 0 ? found : -found - 2;
    }

    /**
     * Returns the rows of a step as stretches, in batch order. Steps that extend beyond the lane's
     * last row continue with its first row as padding; a lane with fewer rows than a step repeats
     * them as often as needed.
     */
    public List<Stretch> stretches(long step) {
        List<Stretch> stretches = new ArrayList<>();
        long first = offset + step * stride;
        int place = 0;
        while (place < perLane) {
            long at = (first + place) % rows;
            Window window = windows.get(windowAt(at));
            int from = (int) (at - window.firstPosition());
            int count = Math.min(perLane - place, window.rows() - from);
            stretches.add(new Stretch(window.number(), from, count, first + place >= rows));
            place += count;
        }
        return stretches;
    }

    /** Returns the window that is needed next after those of a step, or -1 if there is none. */
    public int windowAfter(long step) {
        long last = offset + step * stride + perLane - 1;
        if (last >= rows - 1) {
            return -1;
        }
        int following = windowAt(last) + 1;
        long next = offset + (step + 1) * stride;
        int wanted = next < rows ? Math.max(following, windowAt(next)) : following;
        return wanted < windows.size() ? wanted : -1;
    }

    /** Returns the position of a row, which must belong to this lane. */
    long positionOf(int rowGroup, long row) {
        for (Window window : windows) {
            if (window.slices().stream().anyMatch(slice -> slice.holds(rowGroup, row))) {
                return window.firstPosition() + window.permute().indexOf(rowGroup, row);
            }
        }
        throw new IllegalArgumentException(
                "row " + row + " of row group " + rowGroup + " is not in lane " + lane);
    }
}
