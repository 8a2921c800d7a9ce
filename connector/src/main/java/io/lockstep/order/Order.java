package io.lockstep.order;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The sample order, version 1: which sample stands at which place of a run, a pure function of the
 * settings and the rows of each row group.
 *
 * <p>Any place can be found without what precedes it, in both directions. Thread-safe; immutable
 * but for the row groups' sequences of the last epochs in use, which it keeps.
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
     * @throws OrderException if no step, or no row for some lane, comes of it
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

    /** Wherever rows of a row group are read, an int counts them. */
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

    /** The number of row groups, those without rows too. */
    public int rowGroups() {
        return rows.length;
    }

    /** The rows of a row group. */
    public long rows(int rowGroup) {
        return rows[rowGroup];
    }

    /** Steps of every epoch, the same on every lane and rank. */
    public long steps() {
        return steps;
    }

    /**
     * Refuses a step that no epoch has.
     *
     * @throws NoSuchPlaceException with the steps that there are
     */
    public void checkStep(long step) {
        if (step < 0 || step >= steps) {
            throw new NoSuchPlaceException(
                    "there is no step " + step + ": an epoch has the steps 0 to " + (steps - 1));
        }
    }

    /** The sample id of a row group's first row. */
    public long firstSample(int rowGroup) {
        return first[rowGroup];
    }

    /** The row group of a sample. */
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
        // Row groups without rows have the first sample of the next that has some.
        while (rows[found] == 0) {
            found++;
        }
        return found;
    }

    /**
     * A lane's part of an epoch. The first lane asked for in an epoch may cost a pass over the row
     * groups; after that a lane costs a pass over its own slices, and nothing a pass over rows.
     */
    public LaneEpoch laneEpoch(long epoch, int lane) {
        if (lane < 0 || lane >= settings.lanes()) {
            throw new NoSuchPlaceException(
                    "there is no lane "
                            + lane
                            + ": the order has the lanes 0 to "
                            + (settings.lanes() - 1));
        }
        Slice[] slices = sequence(epoch).cut(border(lane), border(lane + 1));
        if (settings.shuffle() == Shuffle.LANE) {
            RandomKey key = RandomKey.derive(settings.seed(), "slices", epoch, lane);
            int[] order = RandomStream.permutation(slices.length, key);
            Slice[] permuted = new Slice[slices.length];
            for (int i = 0; i < slices.length; i++) {
                permuted[i] = slices[order[i]];
            }
            slices = permuted;
        }
        return new LaneEpoch(settings, epoch, lane, slices);
    }

    /**
     * The complete step: what stands at each place of each lane. For many steps of an epoch a
     * {@link StepReader} does less work.
     */
    public StepPlan step(long epoch, long step) {
        return new StepReader(this, epoch).step(step);
    }

    /**
     * Where a sample stands in an epoch: the inverse of {@link #step}, but for padding. It costs
     * the permutation of one window.
     */
    public Place locate(long epoch, long sample) {
        int group = rowGroupOf(sample);
        long row = sample - first[group];
        int lane = laneOf(sequence(epoch).position(group, row));
        long inLane = laneEpoch(epoch, lane).positionOf(group, row);
        long step = inLane / settings.perLane();
        int place = (int) (inLane % settings.perLane());
        return new Place(sample, group, row, lane, step < steps ? step : -1, place);
    }

    /** The first lane of a rank, or past the last lane of the rank before it. */
    public static int firstLane(int rank, int world, int lanes) {
        return RankLanes.first(rank, world, lanes);
    }

    /**
     * The lanes of a rank, ascending; its batch is their parts of the step in that order.
     *
     * @param allowUneven whether ranks may have lanes of different number
     * @throws NoSuchPlaceException for a world that cannot share the lanes, with those that can
     */
    public int[] rankLanes(int rank, int world, boolean allowUneven) {
        return settings.rankLanes(rank, world, allowUneven);
    }

    /** Names the order over a dataset: equal exactly where every place holds the same sample. */
    public String fingerprint(String manifestDigest) {
        StringBuilder text = new StringBuilder("order/1\n");
        settings.toMap()
                .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
        text.append("manifest=").append(manifestDigest).append('\n');
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(RandomKey.sha256().digest(bytes));
    }

    /** Rows before a lane: floor(lane * total / lanes), in a way that cannot overflow. */
    private long border(int lane) {
        long lanes = settings.lanes();
        return total / lanes * lane + total % lanes * lane / lanes;
    }

    /** The last lane that begins at or before a position of the epoch's sequence. */
    private int laneOf(long position) {
        int low = 0;
        int high = settings.lanes() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (border(middle) <= position) {
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
