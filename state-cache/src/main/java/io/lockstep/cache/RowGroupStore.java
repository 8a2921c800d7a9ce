package io.lockstep.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decoded row groups on the local disk, as mapped Arrow files: each is loaded once however many ask
 * for it, and all together never take more than a given number of bytes.
 *
 * <p>What somebody has pinned stays. When room is needed, the unpinned row group that was let go
 * first is given up first; {@link Space} says why.
 *
 * <p>Mapped bytes are accounted for by an allocator of the store's own, not by the one given for
 * loading: they belong to the page cache and not to the process' memory. Thread-safe.
 */
public final class RowGroupStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RowGroupStore.class);

    /** Java maps at most 2 GiB - 1 of a file at once; the file's metadata needs a little of it. */
    private static final long MAX_BODY_BYTES = Integer.MAX_VALUE - (16L << 20);

    private final Object lock = new Object();
    private final OwnedDirectory directory;
    private final BufferAllocator loading;
    private final BufferAllocator mapped = new RootAllocator(Long.MAX_VALUE);

    private final Map<RowGroupKey, Entry> entries = new HashMap<>();
    private final Space space;
    private final AtomicLong written = new AtomicLong();
    private int running;
    private boolean closed;

    private RowGroupStore(OwnedDirectory directory, long maxBytes, BufferAllocator loading) {
        this.directory = directory;
        this.space = new Space(maxBytes);
        this.loading = loading;
    }

    /**
     * Opens an empty store in a subdirectory of its own. Subdirectories that dead processes left in
     * the same place are deleted; those of living ones, and of this one, are left alone.
     *
     * @param maxBytes the most that the store's files may take
     * @param allocator where loaders allocate; it must outlive the store
     */
    public static RowGroupStore open(Path directory, long maxBytes, BufferAllocator allocator)
            throws IOException {
        if (maxBytes <= 0) {
            throw new CacheException(
                    "The cache's size must be more than 0 bytes, but is " + maxBytes + ".");
        }
        return new RowGroupStore(OwnedDirectory.open(directory), maxBytes, allocator);
    }

    /**
     * Pins a row group, loading it first where the store does not hold it. Every asker gets a hold
     * of its own to close. A future that its asker has cancelled or completed takes no hold.
     *
     * <p>The future fails with what the loader threw, with {@link CacheFullException} where the
     * pinned row groups leave no room, with {@link CacheException} where the row group is too large
     * or the disk does not take it, or with {@link IllegalStateException} where the store is
     * closed. A failure reaches all who were waiting and is not remembered: the next to ask loads
     * again.
     *
     * @param loader called at most once for all who ask while the row group is not there
     * @param executor runs the load, and with it what hangs on the futures of those who waited
     */
    public CompletableFuture<PinnedRowGroup> pin(
            RowGroupKey key, RowGroupLoader loader, Executor executor) {
        Entry entry;
        boolean first = false;
        CompletableFuture<PinnedRowGroup> asker = new CompletableFuture<>();
        synchronized (lock) {
            if (closed) {
                return CompletableFuture.failedFuture(closedException());
            }
            entry = entries.get(key);
            if (entry != null && entry.ready()) {
                return CompletableFuture.completedFuture(hold(entry));
            }
            if (entry == null) {
                entry = new Entry(key);
                entries.put(key, entry);
                first = true;
            }
            entry.askers.add(asker);
        }
        if (first) {
            start(entry, loader, executor);
        }
        return asker;
    }

    /** What the row groups held now take on disk, pinned or not. */
    public long usedBytes() {
        synchronized (lock) {
            return space.used();
        }
    }

    /** What the row groups that are pinned or being written take on disk. */
    public long pinnedBytes() {
        synchronized (lock) {
            return space.pinned();
        }
    }

    /** The most that the store's files may take. */
    public long maxBytes() {
        return space.max();
    }

    /**
     * Fails all who wait, waits for loads that are running (they use the caller's allocator), and
     * deletes the store's files. A row group that is still pinned stays mapped until its last hold
     * is closed. Must not be called by a loader.
     */
    @Override
    public void close() throws IOException {
        List<CompletableFuture<PinnedRowGroup>> waiting = new ArrayList<>();
        List<Entry> idle;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            for (Entry entry : entries.values()) {
                waiting.addAll(entry.askers);
                entry.askers.clear();
            }
            idle = space.unpinned();
            idle.forEach(this::forget);
        }
        waiting.forEach(asker -> asker.completeExceptionally(closedException()));
        idle.forEach(RowGroupStore::release);
        awaitLoads();
        directory.close();
        closeMappedIfLast();
    }

    private void start(Entry entry, RowGroupLoader loader, Executor executor) {
        try {
            executor.execute(() -> run(entry, loader));
        } catch (RejectedExecutionException e) {
            fail(entry, e);
        }
    }

    private void run(Entry entry, RowGroupLoader loader) {
        synchronized (lock) {
            if (closed) {
                return;
            }
            running++;
        }
        try {
            load(entry, loader);
        } catch (Throwable t) {
            // Whatever it is, those who wait must hear of it.
            fail(entry, t);
        } finally {
            synchronized (lock) {
                running--;
                lock.notifyAll();
            }
        }
    }

    private void load(Entry entry, RowGroupLoader loader) throws IOException {
        RowGroupFile file;
        try (VectorSchemaRoot root = loader.load(loading)) {
            long body = RowGroupFile.bodyBytes(root);
            if (body > MAX_BODY_BYTES) {
                throw new CacheException(
                        "Row group "
                                + entry.key.text()
                                + " takes "
                                + body
                                + " bytes when decoded, and the cache maps at most "
                                + MAX_BODY_BYTES
                                + " at once; choose fewer columns, or write the file with smaller"
                                + " row groups.");
            }
            reserve(entry, body);
            file = write(entry, root);
        }
        try {
            // The metadata's size is known only now.
            reserve(entry, file.bytes());
            publish(entry, file, file.map(mapped));
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file.path());
            throw e;
        }
    }

    private RowGroupFile write(Entry entry, VectorSchemaRoot root) throws IOException {
        // Numbered, because an evicted row group may be loaded again before its file is deleted.
        Path path =
                directory
                        .path()
                        .resolve(entry.key.digest() + "-" + written.getAndIncrement() + ".arrow");
        try {
            return RowGroupFile.write(path, root);
        } catch (IOException e) {
            // Whoever asks again fails as well, until a person has made room.
            throw new CacheException(
                    "A row group of "
                            + RowGroupFile.bodyBytes(root)
                            + " bytes cannot be written to the cache in "
                            + directory.path()
                            + ", where "
                            + directory.path().toFile().getUsableSpace()
                            + " bytes are left ("
                            + e.getMessage()
                            + "); make room there, or set cache.directory to another disk and"
                            + " cache.size to what it has.",
                    e);
        }
    }

    /** Makes the entry account for so many bytes, and gives up unpinned ones to make room. */
    private void reserve(Entry entry, long bytes) {
        List<Entry> victims;
        synchronized (lock) {
            victims = space.reserve(entry, bytes);
            victims.forEach(victim -> entries.remove(victim.key, victim));
        }
        victims.forEach(RowGroupStore::release);
    }

    private void publish(Entry entry, RowGroupFile file, VectorSchemaRoot root) {
        List<CompletableFuture<PinnedRowGroup>> askers;
        List<PinnedRowGroup> holds = new ArrayList<>();
        synchronized (lock) {
            entry.file = file;
            entry.root = root;
            askers = List.copyOf(entry.askers);
            entry.askers.clear();
            // All holds are made before the first is given, so that it cannot free the entry.
            for (int i = 0; i < Math.max(1, askers.size()); i++) {
                holds.add(hold(entry));
            }
        }
        if (askers.isEmpty()) {
            holds.get(0).close();
        }
        for (int i = 0; i < askers.size(); i++) {
            if (!askers.get(i).complete(holds.get(i))) {
                holds.get(i).close();
            }
        }
    }

    private void fail(Entry entry, Throwable cause) {
        List<CompletableFuture<PinnedRowGroup>> askers;
        synchronized (lock) {
            forget(entry);
            askers = List.copyOf(entry.askers);
            entry.askers.clear();
        }
        askers.forEach(asker -> asker.completeExceptionally(cause));
    }

    private PinnedRowGroup hold(Entry entry) {
        synchronized (lock) {
            entry.pins++;
            space.pin(entry);
        }
        return new Hold(entry);
    }

    private void unhold(Entry entry) {
        synchronized (lock) {
            if (--entry.pins > 0) {
                return;
            }
            if (!closed) {
                space.unpin(entry);
                return;
            }
            forget(entry);
        }
        release(entry);
        closeMappedIfLast();
    }

    /** Takes an entry out of the books; the caller releases it outside the lock. */
    private void forget(Entry entry) {
        entries.remove(entry.key, entry);
        space.remove(entry);
    }

    private static void release(Entry entry) {
        entry.root.close();
        try {
            Files.deleteIfExists(entry.file.path());
        } catch (IOException e) {
            LOG.warn("Cannot delete {}, which takes disk space: {}", entry.file.path(), e, e);
        }
    }

    private void awaitLoads() {
        boolean interrupted = false;
        synchronized (lock) {
            while (running > 0) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeMappedIfLast() {
        synchronized (lock) {
            if (mapped.getAllocatedMemory() == 0) {
                mapped.close();
            }
        }
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("The row-group store is closed.");
    }

    private final class Hold implements PinnedRowGroup {

        private final Entry entry;
        private final AtomicBoolean given = new AtomicBoolean();

        Hold(Entry entry) {
            this.entry = entry;
        }

        @Override
        public VectorSchemaRoot root() {
            if (given.get()) {
                throw new IllegalStateException(
                        "The hold on row group " + entry.key.text() + " is closed.");
            }
            return entry.root;
        }

        @Override
        public long bytes() {
            return entry.bytes;
        }

        @Override
        public void close() {
            if (given.compareAndSet(false, true)) {
                unhold(entry);
            }
        }
    }
}
