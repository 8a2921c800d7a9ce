package io.lockstep.source.reader;

import io.lockstep.Futures;
import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.cache.RowGroupStore;
import io.lockstep.ownership.ForeignDirectoryException;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The row-group stores of this process: one per run, shared by its readers, so a row group that
 * several lanes need is decoded once. Opening or closing a store blocks only its own users.
 */
final class SharedStores {

    private static final Map<Key, SharedStore> STORES = new HashMap<>();

    private SharedStores() {}

    /**
     * Takes a hold on the run's store; the first hold opens it. Close each hold exactly once.
     *
     * @throws UserException if the cache directory cannot be used
     */
    static Hold hold(RunDirectory run, CacheSettings settings) {
        Key key = new Key(run.root(), settings);
        SharedStore shared;
        Hold hold;
        synchronized (STORES) {
            shared = STORES.computeIfAbsent(key, SharedStore::new);
            hold = new Hold(shared);
            shared.holds.add(hold);
        }
        try {
            shared.open();
            shared.limitLoading();
            return hold;
        } catch (Throwable t) {
            releaseHold(hold);
            throw t;
        }
    }

    /** Whether that was the last hold. */
    private static boolean releaseHold(Hold hold) {
        synchronized (STORES) {
            SharedStore shared = hold.shared;
            return shared.holds.remove(hold)
                    && shared.holds.isEmpty()
                    && STORES.remove(shared.key, shared);
        }
    }

    private record Key(String run, CacheSettings settings) {}

    /** A user's share in a store. */
    static final class Hold implements AutoCloseable {

        private final SharedStore shared;

        /** Guarded by {@link #STORES}. */
        private long limit = Long.MAX_VALUE;

        private Hold(SharedStore shared) {
            this.shared = shared;
        }

        RowGroupStore store() {
            return shared.store;
        }

        /**
         * Limits the memory that loads may allocate. Loads are unlimited until all users have set a
         * limit.
         */
        void limit(long bytes) {
            synchronized (STORES) {
                limit = bytes;
            }
            shared.limitLoading();
        }

        @Override
        public void close() throws IOException {
            if (releaseHold(this)) {
                shared.store.close();
            } else {
                shared.limitLoading();
            }
        }
    }

    private static final class SharedStore {

        private final Key key;
        private BufferAllocator allocator;
        private RowGroupStore store;

        /** Guarded by {@link #STORES}. */
        private final Set<Hold> holds = new HashSet<>();

        private SharedStore(Key key) {
            this.key = key;
        }

        private void limitLoading() {
            synchronized (STORES) {
                long sum = 0;
                for (Hold hold : holds) {
                    sum = hold.limit > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + hold.limit;
                }
                if (!holds.isEmpty()) {
                    allocator.setLimit(sum);
                }
            }
        }

        /** A restart would fail on the same directory, so this is a user error. */
        private synchronized void open() {
            if (store != null) {
                return;
            }
            CacheSettings settings = key.settings();
            allocator = Allocators.root(Long.MAX_VALUE);
            try {
                long size = settings.prepare();
                store = RowGroupStore.open(Path.of(settings.directory()), size, allocator);
                // A hanging load outlives the store and still uses the allocator.
                Futures.whenDone(store.ended(), allocator::close);
            } catch (ForeignDirectoryException e) {
                throw new UserException(
                        "the cache directory "
                                + settings.directory()
                                + " "
                                + e.getReason()
                                + ", and another user could read or change what is cached there:"
                                + " set cache.directory to a directory of your own",
                        e);
            } catch (IOException e) {
                throw new UserException(
                        "the cache directory "
                                + settings.directory()
                                + " cannot be made or written: set cache.directory to one on local"
                                + " disk that can be",
                        e);
            } finally {
                if (store == null) {
                    allocator.close();
                }
            }
        }
    }
}
