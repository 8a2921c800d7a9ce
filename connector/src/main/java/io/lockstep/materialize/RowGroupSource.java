package io.lockstep.materialize;

import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.cache.Prefetches;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Makes row groups of one {@link Content} ready. Thread-safe. */
public interface RowGroupSource {

    /**
     * Makes a row group ready and keeps it ready until the hold is closed.
     *
     * <p>The future fails with {@link io.lockstep.UserException} if a retry cannot succeed, and
     * with {@link java.io.IOException} if the file cannot be reached.
     *
     * @param rowGroup index in the manifest
     */
    CompletableFuture<PinnedRowGroup> pin(int rowGroup);

    /** Pins that may be given up for others; empty if they are not limited. */
    default Optional<Prefetches> prefetches() {
        return Optional.empty();
    }

    /** Whether this many bytes fit beside all row groups that are pinned now. */
    boolean hasRoomFor(long bytes);

    /** Whether this many bytes fit beside all row groups that are kept now, pinned or not. */
    boolean hasSpareRoomFor(long bytes);
}
