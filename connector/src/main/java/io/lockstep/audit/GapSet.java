package io.lockstep.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A set of steps of any streams. Not thread-safe. */
final class GapSet {

    private final Map<String, StepRanges> streams = new TreeMap<>();

    void add(Gap gap) {
        of(gap.stream()).add(gap.epoch(), gap.from(), gap.to());
    }

    void add(DigestRow row) {
        of(row.stream()).add(row.epoch(), row.step(), row.step());
    }

    private StepRanges of(String stream) {
        return streams.computeIfAbsent(stream, absent -> new StepRanges());
    }

    void clear() {
        streams.clear();
    }

    /** The number of ranges of consecutive steps. */
    int ranges() {
        return streams.values().stream().mapToInt(StepRanges::size).sum();
    }

    /** The ranges, by stream, epoch and step. */
    List<Gap> list() {
        List<Gap> gaps = new ArrayList<>();
        streams.forEach((stream, ranges) -> gaps.addAll(ranges.of(stream)));
        return gaps;
    }
}
