package io.lockstep.order;

import java.util.List;
import java.util.stream.Collectors;

/** What is said of settings that make no order: what is wrong with them, and what to choose. */
final class Refusals {

    private Refusals() {}

    static String notAMultiple(int batch, int lanes) {
        int fewer = Divisors.largestUpTo(batch, lanes);
        int more = Divisors.leastFrom(batch, lanes);
        long below = (long) batch / lanes * lanes;
        long above = below + lanes;
        return "batch %s is not a multiple of %s lanes: choose %s lanes, or a batch of %s"
                .formatted(
                        text(batch),
                        text(lanes),
                        more > lanes ? fewer + " or " + more : text(fewer),
                        below > 0 ? below + " or " + above : text(above));
    }

    static String noRows(int rowGroups) {
        return "the dataset has no rows in its "
                + rowGroups
                + " row groups: choose data with at least one row";
    }

    /** For {@code tail: drop}, where the rows do not make one batch. */
    static String notOneStep(OrderSettings settings, long rows) {
        int lanes = settings.lanes();
        String smaller =
                rows >= lanes
                        ? "a batch of at most " + rows / lanes * lanes
                        : "a batch and lanes of at most " + rows;
        String padded = rows >= lanes ? "" : " with " + lanesFor(settings, rows);
        return "not one step: the dataset has %s rows, a batch takes %s and tail: drop serves only whole batches: choose %s, or tail: pad%s"
                .formatted(text(rows), text(settings.batch()), smaller, padded);
    }

    static String fewerRowsThanLanes(OrderSettings settings, long rows) {
        return "the dataset has %s rows for %s lanes, and a lane needs at least one: choose %s"
                .formatted(text(rows), text(settings.lanes()), lanesFor(settings, rows));
    }

    static String moreRanksThanLanes(OrderSettings settings, int world) {
        return "%s lanes cannot be shared among %s ranks, since each serves at least one: choose a world size of %s, or more lanes"
                .formatted(text(settings.lanes()), text(world), or(settings.worldSizes()));
    }

    static String unevenRanks(OrderSettings settings, int world) {
        return "%s lanes cannot be shared among %s ranks evenly, and an average over ranks would be wrong: choose a world size of %s, lanes that are a multiple of %s, or allow uneven ranks"
                .formatted(
                        text(settings.lanes()),
                        text(world),
                        or(settings.worldSizes()),
                        text(world));
    }

    private static String lanesFor(OrderSettings settings, long rows) {
        return "at most " + Divisors.largestUpTo(settings.batch(), rows) + " lanes";
    }

    private static String or(List<Integer> numbers) {
        int last = numbers.size() - 1;
        String others =
                numbers.subList(0, last).stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
        return others.isEmpty() ? text(numbers.get(last)) : others + " or " + numbers.get(last);
    }

    /** Digits as they are typed, whatever the locale. */
    private static String text(long number) {
        return String.valueOf(number);
    }
}
