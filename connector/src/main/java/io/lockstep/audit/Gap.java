package io.lockstep.audit;

/**
 * Consecutive steps with lost or missing records.
 *
 * @param from the first step
 * @param to the last step, inclusive
 */
public record Gap(String stream, long epoch, long from, long to) {

    /** The number of steps. */
    public long steps() {
        return to - from + 1;
    }
}
