package io.lockstep.materialize;

import io.lockstep.Futures;
import io.lockstep.UserException;
import io.lockstep.cache.CacheException;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.cache.RowGroupStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Row groups that a store on local disk keeps; those that it lacks are decoded into it. */
public final class StoredRowGroups implements RowGroupSource {

    private final Content content;
    private final RowGroupStore store;
    private final Executor decoders;

    /**
     * @param store which the caller closes, after the last pin
     * @param decoders run the decoding
     */
    public StoredRowGroups(Content content, RowGroupStore store, Executor decoders) {
        this.content = content;
        this.store = store;
        this.decoders = decoders;
    }

    @Override
    public CompletableFuture<PinnedRowGroup> pin(int rowGroup) {
        return store.pin(
                        content.key(rowGroup),
                        allocator -> content.pack(rowGroup, allocator),
                        decoders)
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(withRemedy(failure)));
    }

    /** What the store refuses would be refused again: whoever runs the job has to make room. */
    private static Throwable withRemedy(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        return cause instanceof CacheException
                ? new UserException(cause.getMessage(), cause)
                : cause;
    }

    @Override
    public boolean hasRoomFor(long bytes) {
        return store.pinnedBytes() + bytes <= store.maxBytes();
    }

    @Override
    public boolean hasSpareRoomFor(long bytes) {
        return store.usedBytes() + bytes <= store.maxBytes();
    }
}
