package io.lockstep.audit;

/**
 * Consecutive steps of which a record was lost, or is missing.
 *
 * @param from the first step
 * @param to the last step, included
 */
public record Gap(String stream, long epoch, long from, long to) {

    /** How many steps it has. */
    public long steps() {
        return to - from + 1;
    }
}
