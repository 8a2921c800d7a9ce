package io.lockstep.order;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;

/**
 * The sample order, version 1: which sample stands at which place of a run, a pure function of the
 * settings and the rows of each row group.
 *
 * <p>Any place can be found without what precedes it, in both directions. Immutable and
 * thread-safe.
 */
public final class Order {

    private final OrderSettings settings;
    private final long[] rows;
    private final long[] first;
    private final long total;
    private final long steps;

    /** The sequence of row groups of the epoch that was used last; the same for all but global. */
    private volatile Sequence sequence;

    /**
     * @param rowGroupRows the rows of each row group, in canonical order
     * @throws OrderException if no step, or no row for some lane, comes of it
     */
    public Order(OrderSettings settings, long[] rowGroupRows) {
        this.settings = settings;
        this.rows = rowGroupRows.clone();
        this.first = new long[rows.length + 1];
        for (int group = 0; group < rows.length; group++) {
            first[group + 1] = Math.addExact(first[group], rows[group]);
        }
        this.total = first[rows.length];
        this.steps = steps(settings, total);
    }

    private static long steps(OrderSettings settings, long total) {
        if (total < settings.lanes()) {
            throw new OrderException(
                    "the dataset has "
                            + total
                            + " rows and the order "
                            + settings.lanes()
                            + " lanes: choose at most "
                            + Math.max(1, total)
                            + " lanes");
        }
        if (settings.tail() == Tail.PAD) {
            return (total + settings.batch() - 1) / settings.batch();
        }
        if (total < settings.batch()) {
            throw new OrderException(
                    "not one step: the dataset has "
                            + total
                            + " rows and a batch takes "
                            + settings.batch()
                            + ": choose a batch of at most "
                            + total
                            + ", or tail: pad");
        }
        return total / settings.batch();
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

    /** Steps of every epoch, the same on every lane and rank. */
    public long steps() {
        return steps;
    }

    /** The sample id of a row group's first row. */
    public long firstSample(int rowGroup) {
        return first[rowGroup];
    }

    /** The row group of a sample. */
    public int rowGroupOf(long sample) {
        if (sample < 0 || sample >= total) {
            throw new OrderException(
                    "there is no sample " + sample + ": the dataset has " + total + " rows");
        }
        int found = Arrays.binarySearch(first, sample);
        if (found < 0) {
            return -found - 2;
        }
        while (rows[found] == 0) {
            found++;
        }
        return found;
    }

    /** A lane's part of an epoch. */
    public LaneEpoch laneEpoch(long epoch, int lane) {
        long low = border(lane);
        long high = border(lane + 1);
        Slice[] slices = sequence(epoch).cut(low, high);
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

    /** The complete step: what stands at each place of each lane. */
    public StepPlan step(long epoch, long step) {
        StepPlan plan = new StepPlan(this, epoch, step);
        for (int lane = 0; lane < settings.lanes(); lane++) {
            plan.fill(laneEpoch(epoch, lane));
        }
        return plan;
    }

    /** Where a sample stands in an epoch: the inverse of {@link #step}, but for padding. */
    public Place locate(long epoch, long sample) {
        int group = rowGroupOf(sample);
        long row = sample - first[group];
        long position = sequence(epoch).position(group, row);
        int lane = laneOf(position);
        long inLane = laneEpoch(epoch, lane).positionOf(group, row);
        long step = inLane / settings.perLane();
        int place = (int) (inLane % settings.perLane());
        return new Place(sample, group, row, lane, step < steps ? step : -1, place);
    }

    /** The first lane of a rank, or past the last lane of the rank before it. */
    public static int firstLane(int rank, int world, int lanes) {
        return (int) ((long) rank * lanes / world);
    }

    /**
     * The lanes of a rank, ascending.
     *
     * @param allowUneven whether ranks may have lanes of different number
     */
    public int[] rankLanes(int rank, int world, boolean allowUneven) {
        int lanes = settings.lanes();
        if (rank < 0 || rank >= world) {
            throw new OrderException("rank " + rank + " is not one of a world of " + world);
        }
        if (world > lanes || (lanes % world != 0 && !allowUneven)) {
            throw new OrderException(
                    lanes
                            + " lanes cannot be shared among "
                            + world
                            + " ranks evenly: choose a world size of "
                            + list(settings.worldSizes()));
        }
        return IntStream.range(firstLane(rank, world, lanes), firstLane(rank + 1, world, lanes))
                .toArray();
    }

    /** Names the order over a dataset: equal exactly where every place holds the same sample. */
    public String fingerprint(String manifestDigest) {
        String text =
                String.format(
                        "order/1\nseed=%s\nlanes=%d\nbatch=%d\nwindow=%d\nshuffle=%s\ntail=%s\nmanifest=%s\n",
                        Long.toUnsignedString(settings.seed()),
                        settings.lanes(),
                        settings.batch(),
                        settings.window(),
                        settings.shuffle(),
                        settings.tail(),
                        manifestDigest);
        return HexFormat.of()
                .formatHex(RandomKey.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private long border(int lane) {
        return Math.multiplyExact(lane, total) / settings.lanes();
    }

    /** The lane whose range, from floor(cN/C) to floor((c+1)N/C), holds a position. */
    private int laneOf(long position) {
        return (int) ((Math.multiplyExact(position + 1, (long) settings.lanes()) - 1) / total);
    }

    private RowGroups sequence(long epoch) {
        long keyEpoch = settings.shuffle() == Shuffle.GLOBAL ? epoch : 0;
        Sequence known = sequence;
        if (known == null || known.epoch() != keyEpoch) {
            known = new Sequence(keyEpoch, sequenceUnderKey(keyEpoch));
            sequence = known;
        }
        return known.groups();
    }

    private RowGroups sequenceUnderKey(long epoch) {
        return settings.shuffle() == Shuffle.NONE
                ? RowGroups.canonical(rows)
                : RowGroups.permuted(
                        rows, RandomKey.derive(settings.seed(), "rowgroups", epoch, 0));
    }

    private static String list(Iterable<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        numbers.forEach(number -> text.append(text.isEmpty() ? "" : ", ").append(number));
        return text.toString();
    }

    private record Sequence(long epoch, RowGroups groups) {}
}
