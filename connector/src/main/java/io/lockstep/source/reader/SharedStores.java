package io.lockstep.source.reader;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.cache.RowGroupStore;
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
 * The row-group stores of this process: one a run, whatever number of its readers run here, so that
 * a row group that several lanes need is decoded once.
 */
final class SharedStores {

    private static final Map<Key, SharedStore> STORES = new HashMap<>();

    private SharedStores() {}

    /** Takes a hold on the run's store; the first opens it. To be closed once. */
    static Hold hold(RunDirectory run, CacheSettings settings) {
        Key key = new Key(run.root(), settings);
        synchronized (STORES) {
            SharedStore shared = STORES.get(key);
            if (shared == null) {
                shared = SharedStore.open(settings);
                STORES.put(key, shared);
            }
            Hold hold = new Hold(key, shared);
            shared.holds.add(hold);
            shared.limitLoading();
            return hold;
        }
    }

    private record Key(String run, CacheSettings settings) {}

    /** One user's share in a store. */
    static final class Hold implements AutoCloseable {

        private final Key key;
        private final SharedStore shared;
        private long limit = Long.MAX_VALUE;

        private Hold(Key key, SharedStore shared) {
            this.key = key;
            this.shared = shared;
        }

        RowGroupStore store() {
            return shared.store;
        }

        /** Bounds what this user's loads may allocate, which is unlimited until all users did. */
        void limit(long bytes) {
            synchronized (STORES) {
                limit = bytes;
                shared.limitLoading();
            }
        }

        @Override
        public void close() throws IOException {
            synchronized (STORES) {
                if (!shared.holds.remove(this)) {
                    return;
                }
                shared.limitLoading();
                if (!shared.holds.isEmpty()) {
                    return;
                }
                STORES.remove(key);
                shared.store.close();
                shared.allocator.close();
            }
        }
    }

    private static final class SharedStore {

        private final RowGroupStore store;
        private final BufferAllocator allocator;
        private final Set<Hold> holds = new HashSet<>();

        private SharedStore(RowGroupStore store, BufferAllocator allocator) {
            this.store = store;
            this.allocator = allocator;
        }

        /** With the lock held. */
        private void limitLoading() {
            long sum = 0;
            for (Hold hold : holds) {
                sum = hold.limit > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + hold.limit;
            }
            allocator.setLimit(sum);
        }

        /** An unusable directory is not an outage: a job that started again would meet it again. */
        private static SharedStore open(CacheSettings settings) {
            BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
            try {
                Path directory = Path.of(settings.directory());
                long size = settings.resolveSize();
                return new SharedStore(RowGroupStore.open(directory, size, allocator), allocator);
            } catch (IOException e) {
                allocator.close();
                throw new UserException(
                        "the cache directory "
                                + settings.directory()
                                + " cannot be made or written: set cache.directory to one on local"
                                + " disk that can be",
                        e);
            } catch (RuntimeException e) {
                allocator.close();
                throw e;
            }
        }
    }
}
