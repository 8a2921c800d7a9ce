package io.lockstep.order;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Error messages for settings that do not yield an order: what is wrong and what to choose instead.
 */
final class Refusals {

    private Refusals() {}

    static String notAMultiple(int batch, int lanes) {
        int fewer = Divisors.largestUpTo(batch, lanes);
        int more = Divisors.smallestFrom(batch, lanes);
        long below = (long) batch / lanes * lanes;
        long above = below + lanes;
        return "batch %s is not a multiple of %s: choose %s, or a batch of %s"
                .formatted(
                        text(batch),
                        count(lanes, "lane"),
                        more > lanes ? fewer + " or " + more + " lanes" : count(fewer, "lane"),
                        below > 0 ? below + " or " + above : text(above));
    }

    static String noRows(int rowGroups) {
        return "the dataset has no rows in its "
                + count(rowGroups, "row group")
                + ": choose data with at least one row";
    }

    /** For {@code tail: drop}, if the rows do not fill a single batch. */
    static String notOneStep(OrderSettings settings, long rows) {
        int lanes = settings.lanes();
        String smaller =
                rows >= lanes
                        ? "a batch of at most " + rows / lanes * lanes
                        : "a batch and lanes of at most " + rows;
        String padded = rows >= lanes ? "" : " with " + lanesFor(settings, rows);
        return "not one step: the dataset has %s, a batch takes %s and tail: drop serves only whole batches: choose %s, or tail: pad%s"
                .formatted(count(rows, "row"), text(settings.batch()), smaller, padded);
    }

    static String fewerRowsThanLanes(OrderSettings settings, long rows) {
        return "the dataset has %s for %s, and a lane needs at least one: choose %s"
                .formatted(
                        count(rows, "row"),
                        count(settings.lanes(), "lane"),
                        lanesFor(settings, rows));
    }

    static String moreRanksThanLanes(OrderSettings settings, int world) {
        return "%s cannot be shared among %s, since each serves at least one: choose a world size of %s, or %s"
                .formatted(
                        count(settings.lanes(), "lane"),
                        count(world, "rank"),
                        or(settings.worldSizes()),
                        suitableLanes(settings, world));
    }

    static String unevenRanks(OrderSettings settings, int world) {
        return "%s cannot be shared among %s evenly, and an average over ranks would be wrong: choose a world size of %s, or %s"
                .formatted(
                        count(settings.lanes(), "lane"),
                        count(world, "rank"),
                        or(settings.worldSizes()),
                        suitableLanes(settings, world));
    }

    /** Lanes divide the batch and are a multiple of the world size, so the batch is one too. */
    private static String suitableLanes(OrderSettings settings, int world) {
        int perRank = (int) (((long) settings.batch() + world - 1) / world);
        int most = Math.max(1, OrderSettings.MAX_DEFAULT_LANES / world);
        String lanes = count((long) world * Divisors.largestUpTo(perRank, most), "lane");
        long batch = (long) world * perRank;
        return batch == settings.batch() ? lanes : "a batch of " + batch + " with " + lanes;
    }

    /** What one lane costs, and which batch or lanes avoid it. */
    static String oneLane(OrderSettings settings) {
        int lanes = OrderSettings.defaultLanes(settings.batch());
        int batch = lanes > 1 ? settings.batch() : settings.batch() - 1;
        return "with 1 lane only one rank can train, and one reader makes all steps: batch %s can have %s"
                .formatted(text(batch), count(OrderSettings.defaultLanes(batch), "lane"));
    }

    private static String lanesFor(OrderSettings settings, long rows) {
        return "at most " + count(Divisors.largestUpTo(settings.batch(), rows), "lane");
    }

    private static String count(long number, String one) {
        return text(number) + " " + one + (number == 1 ? "" : "s");
    }

    private static String or(List<Integer> numbers) {
        int last = numbers.size() - 1;
        String others =
                numbers.subList(0, last).stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
        return others.isEmpty() ? text(numbers.get(last)) : others + " or " + numbers.get(last);
    }

    /** Formats a number with plain digits, independent of the locale. */
    private static String text(long number) {
        return String.valueOf(number);
    }
}
