package io.lockstep.transform.statistic;

import io.lockstep.transform.Statistic.Computation;
import io.lockstep.transform.StatisticValue;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Finds the values at some ranks. Each pass counts the values of the ranges that hold a rank by
 * their next digit, until those of the ranges that are left can be kept.
 */
final class QuantileSearch implements Computation<QuantileSearch.Part> {

    /** The most values that are kept, 2 MiB. */
    private static final int KEPT = 1 << 18;

    private final String column;
    private final List<Double> probabilities;
    private RadixRanges ranges = RadixRanges.ALL;
    private boolean keeps;
    private long[][] counts = counts();
    private long[] kept = {};
    private int keptCount;
    private long total;

    /** The searched ranks, and the range of each with the values before it. */
    private long[] ranks;

    private int[] rangeOf;
    private long[] before;

    QuantileSearch(String column, List<Double> probabilities) {
        this.column = column;
        this.probabilities = probabilities;
    }

    /** Counts by range and digit, or the values of all ranges. */
    record Part(int[][] counts, long[] values) {}

    private long[][] counts() {
        return new long[ranges.prefixes().length][1 << ranges.digit()];
    }

    @Override
    public Part partial(VectorSchemaRoot rows) {
        double[] numbers = Numbers.of(rows.getVector(column));
        return keeps ? new Part(null, within(numbers)) : new Part(counted(numbers), null);
    }

    private int[][] counted(double[] numbers) {
        int[][] counted = new int[ranges.prefixes().length][];
        for (double number : numbers) {
            long sortable = RadixRanges.sortable(number);
            int range = ranges.of(sortable);
            if (range >= 0) {
                if (counted[range] == null) {
                    counted[range] = new int[1 << ranges.digit()];
                }
                counted[range][ranges.digit(sortable)]++;
            }
        }
        return counted;
    }

    private long[] within(double[] numbers) {
        long[] values = new long[numbers.length];
        int count = 0;
        for (double number : numbers) {
            long sortable = RadixRanges.sortable(number);
            if (ranges.of(sortable) >= 0) {
                values[count++] = sortable;
            }
        }
        return Arrays.copyOf(values, count);
    }

    @Override
    public void add(Part partial) {
        if (keeps) {
            System.arraycopy(partial.values(), 0, kept, keptCount, partial.values().length);
            keptCount += partial.values().length;
            return;
        }
        for (int range = 0; range < counts.length; range++) {
            int[] counted = partial.counts()[range];
            for (int digit = 0; counted != null && digit < counted.length; digit++) {
                counts[range][digit] += counted[digit];
            }
        }
    }

    @Override
    public boolean endPass() {
        if (keeps) {
            sortKept();
            return true;
        }
        if (ranks == null) {
            setRanks();
        }
        narrow();
        return ranges.areNumbers();
    }

    private void setRanks() {
        total = Arrays.stream(counts[0]).sum();
        if (total == 0) {
            throw Numbers.none(column, "quantiles");
        }
        TreeSet<Long> searched = new TreeSet<>();
        for (double probability : probabilities) {
            long rank = (long) (probability * (total - 1));
            searched.add(rank);
            searched.add(Math.min(rank + 1, total - 1));
        }
        ranks = searched.stream().mapToLong(Long::longValue).toArray();
        rangeOf = new int[ranks.length];
        before = new long[ranks.length];
    }

    /** Goes on with the digits that hold a rank. */
    private void narrow() {
        long[] prefixes = new long[ranks.length];
        int found = 0;
        long values = 0;
        for (int i = 0; i < ranks.length; i++) {
            long[] digits = counts[rangeOf[i]];
            int digit = 0;
            while (before[i] + digits[digit] <= ranks[i]) {
                before[i] += digits[digit++];
            }
            long prefix = (ranges.prefixes()[rangeOf[i]] << ranges.digit()) | digit;
            if (found == 0 || prefixes[found - 1] != prefix) {
                prefixes[found++] = prefix;
                values += digits[digit];
            }
            rangeOf[i] = found - 1;
        }
        ranges = new RadixRanges(Arrays.copyOf(prefixes, found), ranges.bits() + ranges.digit());
        keeps = values <= KEPT;
        kept = new long[keeps ? (int) values : 0];
        counts = keeps || ranges.areNumbers() ? new long[0][] : counts();
    }

    /** Makes each number that holds a rank a range of its own. */
    private void sortKept() {
        for (int i = 0; i < keptCount; i++) {
            kept[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(kept, 0, keptCount);
        long[] numbers = new long[ranks.length];
        int start = 0;
        long startRank = before[0];
        for (int i = 0; i < ranks.length; i++) {
            if (i > 0 && rangeOf[i] != rangeOf[i - 1]) {
                // The kept values of the former range end where those of this one begin.
                start = firstOf(rangeOf[i]);
                startRank = before[i];
            }
            numbers[i] = kept[start + (int) (ranks[i] - startRank)] ^ Long.MIN_VALUE;
        }
        ranges = new RadixRanges(numbers, Long.SIZE);
        Arrays.setAll(rangeOf, i -> i);
    }

    private int firstOf(int range) {
        long least = ranges.prefixes()[range] << (Long.SIZE - ranges.bits());
        int low = 0;
        int high = keptCount;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(kept[middle] ^ Long.MIN_VALUE, least) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public StatisticValue value() {
        return new Quantiles(probabilities.stream().mapToDouble(this::quantile).toArray());
    }

    private double quantile(double probability) {
        double place = probability * (total - 1);
        long rank = (long) place;
        double low = at(rank);
        double high = at(Math.min(rank + 1, total - 1));
        double share = place - rank;
        if (probability == 0.5 && share == 0.5) {
            return low / 2 + high / 2;
        }
        double distance = high - low;
        return share < 0.5 ? low + distance * share : high - distance * (1 - share);
    }

    private double at(long rank) {
        return RadixRanges.value(ranges.prefixes()[rangeOf[Arrays.binarySearch(ranks, rank)]]);
    }
}
