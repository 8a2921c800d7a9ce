package io.lockstep.cache;

/** Thrown if the row groups in use leave no room for another one. */
public final class CacheFullException extends CacheException {

    private static final long serialVersionUID = 1L;

    private final long pinnedBytes;
    private final long maxBytes;

    CacheFullException(RowGroupKey key, long neededBytes, long pinnedBytes, long maxBytes) {
        super(
                "The cache is too small: row group "
                        + key.text()
                        + " needs "
                        + neededBytes
                        + " bytes beside the "
                        + pinnedBytes
                        + " bytes of row groups in use, and the limit is "
                        + maxBytes
                        + " bytes; raise cache.size to at least "
                        + (pinnedBytes + neededBytes)
                        + " bytes, or choose a smaller window or fewer columns.");
        this.pinnedBytes = pinnedBytes;
        this.maxBytes = maxBytes;
    }

    /** The bytes of the row groups in use at that moment. */
    public long pinnedBytes() {
        return pinnedBytes;
    }

    /** The store's limit. */
    public long maxBytes() {
        return maxBytes;
    }
}
