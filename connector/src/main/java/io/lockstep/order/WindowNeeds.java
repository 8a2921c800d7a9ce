package io.lockstep.order;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The bytes of row groups that lanes need at hand at the same time, over all epochs.
 *
 * <p>A step needs the whole of every window that it reaches into, and it may reach from one window
 * into the next. Its own rows are consecutive, so that they lie in as many slices as fit into them
 * and one at either end; the windows of those two add {@code window - 1} slices each at most. What
 * is needed is at most the largest row groups of that number. Under {@code shuffle: global} they
 * may be any of the dataset, otherwise they are among the lane's own, which are the same in every
 * epoch. Lanes share row groups, so that all together never need more than the dataset.
 */
public final class WindowNeeds {

    private final Order order;
    private final IntToLongFunction decodedBytes;

    private WindowNeeds(Order order, IntToLongFunction decodedBytes) {
        this.order = order;
        this.decodedBytes = decodedBytes;
    }

    /**
     * @param decodedBytes of a row group, by its number in the manifest
     */
    public static long bytes(
            Order order, Collection<Integer> lanes, IntToLongFunction decodedBytes) {
        WindowNeeds needs = new WindowNeeds(order, decodedBytes);
        long dataset = IntStream.range(0, order.rowGroups()).mapToLong(decodedBytes).sum();
        long needed =
                order.settings().shuffle() == Shuffle.GLOBAL
                        ? lanes.size() * needs.ofAnyLane()
                        : lanes.stream().mapToLong(needs::ofLane).sum();
        return Math.min(dataset, needed);
    }

    /** Of a lane that has the same slices in every epoch. */
    private long ofLane(int lane) {
        List<Slice> slices =
                order.laneEpoch(0, lane).windows().stream()
                        .flatMap(window -> window.slices().stream())
                        .toList();
        long inUse = slicesInUse(slices.stream().mapToLong(Slice::rows).toArray());
        return largest(inUse, slices.stream().mapToInt(Slice::rowGroup));
    }

    /** Of a lane that may have any row groups, the first and the last cut however short. */
    private long ofAnyLane() {
        long[] rows = IntStream.range(0, order.rowGroups()).mapToLong(order::rows).toArray();
        long inUse = slicesInUse(Arrays.stream(rows).filter(count -> count > 0).toArray()) + 2;
        return largest(inUse, IntStream.range(0, rows.length));
    }

    /** The most slices in the windows that one step reaches into. */
    private long slicesInUse(long[] sliceRows) {
        Arrays.sort(sliceRows);
        long left = order.settings().perLane() - 2L;
        int within = 0;
        while (within < sliceRows.length && sliceRows[within] <= left) {
            left -= sliceRows[within++];
        }
        return within + 2L * order.settings().window();
    }

    private long largest(long count, IntStream rowGroups) {
        long[] sorted = rowGroups.mapToLong(decodedBytes).sorted().toArray();
        int from = (int) Math.max(0, sorted.length - count);
        return Arrays.stream(sorted, from, sorted.length).sum();
    }
}
