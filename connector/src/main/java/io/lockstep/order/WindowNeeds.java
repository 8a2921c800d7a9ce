package io.lockstep.order;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Computes the size of the row groups that lanes need in memory at the same time, in bytes, over
 * all epochs.
 *
 * <p>A step needs all row groups of every window that it reads from, and it can extend from one
 * window into the next. Its own rows are consecutive, so they cover the slices that fit into them
 * plus one at either end; the windows of those two add at most {@code window - 1} slices each. The
 * bound is the size of that many of the largest row groups. With {@code shuffle: global} these can
 * be any row groups of the dataset, and so with {@code shuffle: sequential}, whose windows are one
 * row group each; otherwise they are among the lane's own, which are the same in every epoch. Lanes
 * share row groups, so all lanes together never need more than the dataset.
 */
public final class WindowNeeds {

    private final Order order;
    private final IntToLongFunction decodedBytes;

    private WindowNeeds(Order order, IntToLongFunction decodedBytes) {
        this.order = order;
        this.decodedBytes = decodedBytes;
    }

    /**
     * @param decodedBytes the decoded size of a row group, by its index in the manifest
     */
    public static long bytes(
            Order order, Collection<Integer> lanes, IntToLongFunction decodedBytes) {
        WindowNeeds needs = new WindowNeeds(order, decodedBytes);
        long dataset = IntStream.range(0, order.rowGroups()).mapToLong(decodedBytes).sum();
        long needed =
                switch (order.settings().shuffle()) {
                    case GLOBAL -> lanes.size() * needs.ofAnyLane();
                    case SEQUENTIAL -> lanes.size() * needs.ofAnySequentialLane();
                    case NONE, LANE -> lanes.stream().mapToLong(needs::ofLane).sum();
                };
        return Math.min(dataset, needed);
    }

    /** Returns the need of a lane that has the same slices in every epoch. */
    private long ofLane(int lane) {
        List<Slice> slices =
                order.laneEpoch(0, lane).windows().stream()
                        .flatMap(window -> window.slices().stream())
                        .toList();
        long inUse = slicesInUse(slices.stream().mapToLong(Slice::rows).toArray(), window());
        return largest(inUse, slices.stream().mapToInt(Slice::rowGroup));
    }

    /**
     * Returns the need of a lane that can have any row groups, with the first and last ones cut
     * arbitrarily short.
     */
    private long ofAnyLane() {
        return largest(
                slicesInUse(filledRowGroups(), window()) + 2,
                IntStream.range(0, order.rowGroups()));
    }

    private long ofAnySequentialLane() {
        return largest(slicesInUse(filledRowGroups(), 1), IntStream.range(0, order.rowGroups()));
    }

    private long[] filledRowGroups() {
        return IntStream.range(0, order.rowGroups())
                .mapToLong(order::rows)
                .filter(count -> count > 0)
                .toArray();
    }

    private int window() {
        return order.settings().window();
    }

    /** Returns the maximum number of slices in the windows that one step reads from. */
    private long slicesInUse(long[] sliceRows, int window) {
        Arrays.sort(sliceRows);
        long left = order.settings().perLane() - 2L;
        int within = 0;
        while (within < sliceRows.length && sliceRows[within] <= left) {
            left -= sliceRows[within++];
        }
        return within + 2L * window;
    }

    private long largest(long count, IntStream rowGroups) {
        long[] sorted = rowGroups.mapToLong(decodedBytes).sorted().toArray();
        int from = (int) Math.max(0, sorted.length - count);
        return Arrays.stream(sorted, from, sorted.length).sum();
    }
}
