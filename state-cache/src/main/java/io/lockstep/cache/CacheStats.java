package io.lockstep.cache;

/**
 * Counts of a store since it was opened.
 *
 * @param damagedAtPin row groups whose file was damaged while it was not in use
 * @param damagedInUse row groups whose file was damaged while it was in use
 */
public record CacheStats(long damagedAtPin, long damagedInUse) {

    /** All damaged files. */
    public long damaged() {
        return damagedAtPin + damagedInUse;
    }
}
