package io.lockstep.cache;

/**
 * Thrown if the file of a pinned row group was truncated: discard the gathered rows and pin it
 * again.
 */
public final class DamagedRowGroupException extends CacheException {

    private static final long serialVersionUID = 1L;

    DamagedRowGroupException(Damage damage) {
        super("The cache file " + damage + ".");
    }
}
