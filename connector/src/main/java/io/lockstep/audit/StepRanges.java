package io.lockstep.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A set of steps of one stream, kept as ranges of consecutive steps. Not thread-safe. */
final class StepRanges {

    /** The last step of each range, by its first; ranges neither overlap nor touch. */
    private final TreeMap<StepKey, Long> lasts = new TreeMap<>();

    /** Adds the steps from the first to the last, inclusive. */
    void add(long epoch, long first, long last) {
        long from = first;
        long to = last;
        Map.Entry<StepKey, Long> before = lasts.floorEntry(new StepKey(epoch, from));
        if (before != null && before.getKey().epoch() == epoch && before.getValue() >= from - 1) {
            from = before.getKey().step();
            to = Math.max(to, before.getValue());
        }
        StepKey start = new StepKey(epoch, from);
        Map.Entry<StepKey, Long> after = lasts.ceilingEntry(start);
        while (after != null
                && after.getKey().epoch() == epoch
                && after.getKey().step() <= to + 1) {
            to = Math.max(to, after.getValue());
            lasts.remove(after.getKey());
            after = lasts.ceilingEntry(start);
        }
        lasts.put(start, to);
    }

    boolean contains(long epoch, long step) {
        Map.Entry<StepKey, Long> range = lasts.floorEntry(new StepKey(epoch, step));
        return range != null && range.getKey().epoch() == epoch && range.getValue() >= step;
    }

    /** Removes the epochs before the given one. */
    void removeBefore(long epoch) {
        lasts.headMap(new StepKey(epoch, 0)).clear();
    }

    void clear() {
        lasts.clear();
    }

    /** The number of ranges. */
    int size() {
        return lasts.size();
    }

    /** The number of steps. */
    long steps() {
        return lasts.entrySet().stream()
                .mapToLong(range -> range.getValue() - range.getKey().step() + 1)
                .sum();
    }

    /** The ranges, ascending. */
    List<Gap> of(String stream) {
        List<Gap> gaps = new ArrayList<>();
        lasts.forEach(
                (first, last) -> gaps.add(new Gap(stream, first.epoch(), first.step(), last)));
        return gaps;
    }
}
