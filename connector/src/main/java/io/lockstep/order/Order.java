package io.lockstep.order;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The sample order, version 1. It defines which sample appears at which place of a run, as a pure
 * function of the settings and the row count of each row group.
 *
 * <p>Random access: any place is computed without what precedes it, in both directions.
 * Thread-safe, and immutable except for a cache of the row group sequences of recent epochs.
 */
public final class Order {

    private final OrderSettings settings;
    private final long[] rows;
    private final long[] first;
    private final long total;
    private final long steps;
    private final EpochSequences sequences;

    /**
     * @param rowGroupRows the rows of each row group, in canonical order
     * @throws OrderException if the rows do not fill a single step, or some lane has no rows
     */
    public Order(OrderSettings settings, long[] rowGroupRows) {
        this.settings = settings;
        this.rows = rowGroupRows.clone();
        this.first = new long[rows.length + 1];
        for (int group = 0; group < rows.length; group++) {
            requireCountable(group, rows[group]);
            first[group + 1] = first[group] + rows[group];
        }
        this.total = first[rows.length];
        this.steps = steps(settings, rows.length, total);
        this.sequences = new EpochSequences(settings, rows);
    }

    /** Rejects row groups whose rows do not fit in an int, which readers use to count rows. */
    private static void requireCountable(int rowGroup, long rows) {
        if (rows < 0 || rows > Integer.MAX_VALUE) {
            throw new OrderException(
                    "row group "
                            + rowGroup
                            + " has "
                            + rows
                            + " rows: write row groups of at most "
                            + Integer.MAX_VALUE
                            + " rows");
        }
    }

    private static long steps(OrderSettings settings, int rowGroups, long total) {
        if (total == 0) {
            throw new OrderException(Refusals.noRows(rowGroups));
        }
        if (settings.tail() == Tail.DROP && total < settings.batch()) {
            throw new OrderException(Refusals.notOneStep(settings, total));
        }
        if (total < settings.lanes()) {
            throw new OrderException(Refusals.fewerRowsThanLanes(settings, total));
        }
        long whole = total / settings.batch();
        return settings.tail() == Tail.PAD && total % settings.batch() > 0 ? whole + 1 : whole;
    }

    public OrderSettings settings() {
        return settings;
    }

    public long totalRows() {
        return total;
    }

    /** Returns the number of row groups, including empty ones. */
    public int rowGroups() {
        return rows.length;
    }

    /** Returns the number of rows of a row group. */
    public long rows(int rowGroup) {
        return rows[rowGroup];
    }

    /** Returns the number of steps per epoch, which is the same for every epoch, lane and rank. */
    public long steps() {
        return steps;
    }

    /**
     * Checks that a step exists in every epoch.
     *
     * @throws NoSuchPlaceException with the range of valid steps
     */
    public void checkStep(long step) {
        if (step < 0 || step >= steps) {
            throw new NoSuchPlaceException(
                    "there is no step " + step + ": an epoch has the steps 0 to " + (steps - 1));
        }
    }

    /** Returns the sample id of a row group's first row. */
    public long firstSample(int rowGroup) {
        return first[rowGroup];
    }

    /** Returns the row group that contains a sample. */
    public int rowGroupOf(long sample) {
        if (sample < 0 || sample >= total) {
            throw new NoSuchPlaceException(
                    "there is no sample "
                            + Long.toUnsignedString(sample)
                            + ": the dataset has the samples 0 to "
                            + (total - 1));
        }
        int found = Arrays.binarySearch(first, sample);
        if (found < 0) {
            return -found - 2;
        }
        // An empty row group has the same first sample as the next non-empty one.
        while (rows[found] == 0) {
            found++;
        }
        return found;
    }

    /**
     * Returns a lane's part of an epoch. The first call for an epoch may take time linear in the
     * number of row groups. Later calls take time linear in the number of the lane's slices. The
     * cost never depends on the number of rows.
     */
    public LaneEpoch laneEpoch(long epoch, int lane) {
        if (lane < 0 || lane >= settings.lanes()) {
            throw new NoSuchPlaceException(
                    "there is no lane "
                            + lane
                            + ": the order has the lanes 0 to "
                            + (settings.lanes() - 1));
        }
        RowGroups all = sequence(epoch);
        if (settings.shuffle() == Shuffle.SEQUENTIAL) {
            return LaneEpoch.sequential(settings, epoch, lane, all, total);
        }
        LaneSlices slices = new LaneSlices(all, boundary(lane), boundary(lane + 1));
        if (settings.shuffle() == Shuffle.LANE) {
            slices = slices.permuted(RandomKey.derive(settings.seed(), "slices", epoch, lane));
        }
        return LaneEpoch.of(settings, epoch, lane, slices);
    }

    /**
     * Returns the complete step: the sample at each place of each lane. To read many steps of an
     * epoch, use {@link StepReader}, which does less work.
     */
    public StepPlan step(long epoch, long step) {
        return new StepReader(this, epoch).step(step);
    }

    /**
     * Returns the place of a sample in an epoch. This is the inverse of {@link #step}, except that
     * it ignores padding. Costs the permutation of one window.
     */
    public Place locate(long epoch, long sample) {
        int group = rowGroupOf(sample);
        long row = sample - first[group];
        long position = sequence(epoch).position(group, row);
        int perLane = settings.perLane();
        if (settings.shuffle() == Shuffle.SEQUENTIAL) {
            int inBatch = (int) (position % settings.batch());
            long step = position / settings.batch();
            return place(sample, group, row, inBatch / perLane, step, inBatch % perLane);
        }
        int lane = laneOf(position);
        long inLane = laneEpoch(epoch, lane).positionOf(group, row);
        return place(sample, group, row, lane, inLane / perLane, (int) (inLane % perLane));
    }

    private Place place(long sample, int group, long row, int lane, long step, int place) {
        return new Place(sample, group, row, lane, step < steps ? step : -1, place);
    }

    /**
     * Returns the first lane of a rank. If {@code rank} equals {@code world}, returns the number of
     * lanes.
     */
    public static int firstLane(int rank, int world, int lanes) {
        return RankLanes.first(rank, world, lanes);
    }

    /**
     * Returns the lanes of a rank, ascending. The rank's batch consists of their parts of the step
     * in this order.
     *
     * @param allowUneven whether ranks may have different numbers of lanes
     * @throws NoSuchPlaceException if the world size cannot share the lanes; the message lists
     *     those that can
     */
    public int[] rankLanes(int rank, int world, boolean allowUneven) {
        return settings.rankLanes(rank, world, allowUneven);
    }

    /**
     * Returns a string that identifies the order over a dataset: two fingerprints are equal if and
     * only if every place holds the same sample.
     */
    public String fingerprint(String manifestDigest) {
        StringBuilder text = new StringBuilder("order/1\n");
        settings.toMap()
                .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
        text.append("manifest=").append(manifestDigest).append('\n');
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(RandomKey.sha256().digest(bytes));
    }

    /** Returns the number of rows before a lane, floor(lane * total / lanes), without overflow. */
    private long boundary(int lane) {
        long lanes = settings.lanes();
        return total / lanes * lane + total % lanes * lane / lanes;
    }

    /** Returns the last lane that begins at or before a position of the epoch's sequence. */
    private int laneOf(long position) {
        int low = 0;
        int high = settings.lanes() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (boundary(middle) <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private RowGroups sequence(long epoch) {
        if (epoch < 0) {
            throw new NoSuchPlaceException("there is no epoch " + epoch + ": the first is 0");
        }
        return sequences.of(epoch);
    }
}
