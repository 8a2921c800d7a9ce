package io.lockstep.cache;

/** The file of a pinned row group was truncated: discard what was gathered and pin it again. */
public final class DamagedRowGroupException extends CacheException {

    private static final long serialVersionUID = 1L;

    DamagedRowGroupException(Damage damage) {
        super("The cache file " + damage + ".");
    }
}
