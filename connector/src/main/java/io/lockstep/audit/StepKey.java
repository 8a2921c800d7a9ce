package io.lockstep.audit;

import java.util.Comparator;

/** A step of a stream. Steps ascend by epoch, then by step. */
public record StepKey(long epoch, long step) implements Comparable<StepKey> {

    static final StepKey FIRST = new StepKey(0, 0);
    static final StepKey END = new StepKey(Long.MAX_VALUE, Long.MAX_VALUE);

    private static final Comparator<StepKey> ORDER =
            Comparator.comparingLong(StepKey::epoch).thenComparingLong(StepKey::step);

    /** The next step of the same epoch, even if the epoch ends before it. */
    StepKey next() {
        return new StepKey(epoch, step + 1);
    }

    boolean isBefore(StepKey other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(StepKey other) {
        return ORDER.compare(this, other);
    }
}
