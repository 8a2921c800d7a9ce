package io.lockstep.materialize;

import io.lockstep.Futures;
import io.lockstep.UserException;
import io.lockstep.cache.CacheException;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.cache.Prefetches;
import io.lockstep.cache.RowGroupStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.OutOfMemoryException;

/** Row groups in a store on local disk; missing ones are decoded into it. */
public final class StoredRowGroups implements RowGroupSource {

    private final Content content;
    private final RowGroupStore store;
    private final Decoders decoders;

    /**
     * @param store which the caller closes after the last pin
     * @param decoders run the decoding
     */
    public StoredRowGroups(Content content, RowGroupStore store, Decoders decoders) {
        this.content = content;
        this.store = store;
        this.decoders = decoders;
    }

    @Override
    public CompletableFuture<PinnedRowGroup> pin(int rowGroup) {
        return store.pin(
                        content.key(rowGroup),
                        allocator -> content.pack(rowGroup, allocator),
                        decoders.using(content.decodingBytes(rowGroup)))
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(withRemedy(failure)));
    }

    /** The store would refuse again, so the user has to make room. */
    private static Throwable withRemedy(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        if (cause instanceof CacheException) {
            return new UserException(cause.getMessage(), cause);
        }
        if (cause instanceof OutOfMemoryException) {
            return new UserException(
                    "a row group takes more memory to decode than the readers of one process may use"
                            + " ("
                            + cause.getMessage()
                            + "): raise"
                            + " taskmanager.memory.task.off-heap.size, or write smaller row groups",
                    cause);
        }
        return cause;
    }

    @Override
    public Optional<Prefetches> prefetches() {
        return Optional.of(store.prefetches());
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
