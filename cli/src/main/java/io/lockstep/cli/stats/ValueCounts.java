package io.lockstep.cli.stats;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.annotation.Nullable;

/** Counts the occurrences of each value of a column, if it has few. Not thread-safe. */
final class ValueCounts {

    /** The most values that are counted one by one. */
    static final int MOST = 20;

    /** Null once there are more values. */
    @Nullable private Map<Object, Long> counts = new HashMap<>();

    void add(Object value, long count) {
        if (counts == null) {
            return;
        }
        counts.merge(value, count, Long::sum);
        if (counts.size() > MOST) {
            counts = null;
        }
    }

    void add(ValueCounts other) {
        if (other.counts == null) {
            counts = null;
        } else {
            other.counts.forEach(this::add);
        }
    }

    /** The counts, the largest first, equal ones by value; null if there are more values. */
    @Nullable
    Map<Object, Long> sorted() {
        if (counts == null) {
            return null;
        }
        Map<Object, Long> sorted = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(
                        Map.Entry.<Object, Long>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(entry -> entry.getKey().toString()))
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }
}
