package io.lockstep.cache;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups of pinned row groups that are not needed yet. They are unpinned if one that is needed
 * finds no room. Thread-safe.
 */
public final class Prefetches {

    private static final Logger LOG = LoggerFactory.getLogger(Prefetches.class);

    private final Set<Prefetch> unused = new LinkedHashSet<>();
    private boolean warned;

    Prefetches() {}

    /** A group that may be given up until it is used. */
    public final class Prefetch {

        private final CompletableFuture<? extends AutoCloseable> pinned;

        private Prefetch(CompletableFuture<? extends AutoCloseable> pinned) {
            this.pinned = pinned;
        }

        /** Keeps it from being given up; returns false if that has happened. */
        public boolean use() {
            synchronized (Prefetches.this) {
                return unused.remove(this);
            }
        }

        private CompletableFuture<Void> unpin() {
            return pinned.handle(
                    (result, failure) -> {
                        try {
                            if (failure == null) {
                                result.close();
                            }
                        } catch (Exception e) {
                            LOG.warn("Cannot unpin prefetched row groups", e);
                        }
                        return null;
                    });
        }
    }

    /**
     * Adds a group.
     *
     * @param pinned unpins it when it is closed
     */
    public synchronized Prefetch add(CompletableFuture<? extends AutoCloseable> pinned) {
        Prefetch prefetch = new Prefetch(pinned);
        unused.add(prefetch);
        return prefetch;
    }

    /**
     * Gives up all groups that are not used.
     *
     * @return completes when they are unpinned, with whether there were any
     */
    public CompletableFuture<Boolean> giveUp() {
        List<Prefetch> given;
        boolean warn;
        synchronized (this) {
            given = List.copyOf(unused);
            unused.clear();
            warn = !given.isEmpty() && !warned;
            warned |= warn;
        }
        if (warn) {
            LOG.warn(
                    "The cache has no room for prefetched row groups beside those in use: they are"
                            + " evicted, and steps may wait for row groups. Raise cache.size, or"
                            + " free disk space.");
        }
        return CompletableFuture.allOf(
                        given.stream().map(Prefetch::unpin).toArray(CompletableFuture[]::new))
                .thenApply(done -> !given.isEmpty());
    }
}
