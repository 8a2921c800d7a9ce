package io.lockstep.order;

import java.util.Collection;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The bytes of row groups that lanes need at hand at the same time, over all epochs.
 *
 * <p>A step may reach from one window into the next, but a window's rows are needed whole; so a
 * lane needs its {@code window} largest row groups at most. Under {@code shuffle: lane} those are
 * among the lane's own, which are the same in every epoch; under {@code global} they may be any of
 * the dataset. Lanes share row groups, so that all together never need more than the dataset.
 */
public final class WindowNeeds {

    private WindowNeeds() {}

    /**
     * @param decodedBytes of a row group, by its number in the manifest
     */
    public static long bytes(
            Order order, Collection<Integer> lanes, IntToLongFunction decodedBytes) {
        long dataset = IntStream.range(0, order.rowGroups()).mapToLong(decodedBytes).sum();
        long needed = 0;
        for (int lane : lanes) {
            needed += largest(order, lane, decodedBytes);
        }
        return Math.min(dataset, needed);
    }

    private static long largest(Order order, int lane, IntToLongFunction decodedBytes) {
        LongStream sizes =
                order.settings().shuffle() == Shuffle.GLOBAL
                        ? IntStream.range(0, order.rowGroups()).mapToLong(decodedBytes)
                        : sliceSizes(order.laneEpoch(0, lane), decodedBytes);
        long[] sorted = sizes.sorted().toArray();
        int from = Math.max(0, sorted.length - order.settings().window());
        return LongStream.of(sorted).skip(from).sum();
    }

    private static LongStream sliceSizes(LaneEpoch epoch, IntToLongFunction decodedBytes) {
        return epoch.windows().stream()
                .map(Window::slices)
                .flatMap(Collection::stream)
                .mapToInt(Slice::rowGroup)
                .mapToLong(decodedBytes);
    }
}
