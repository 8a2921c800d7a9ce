package io.lockstep.cache;

import io.lockstep.cache.Entry.State;
import io.lockstep.ownership.OwnedDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decoded row groups on the local disk, as mapped Arrow files. Each is loaded once, however many
 * callers request it, and their total size never exceeds a given number of bytes.
 *
 * <p>Pinned row groups stay. When space is needed, the store evicts the row group that was unpinned
 * first; see {@link Space}.
 *
 * <p>Stored bytes are not trusted. The CRC32C of a file is compared when its row group is pinned,
 * and again after its last hold is closed, by reading the file rather than its mapping; while it is
 * pinned, see {@link PinnedRowGroup#check}. A damaged file is deleted and its row group loaded
 * again.
 *
 * <p>The store's own allocator accounts for mapped bytes, because they belong to the page cache and
 * not to the process's memory. Thread-safe; no I/O happens while the lock is held.
 */
public final class RowGroupStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RowGroupStore.class);

    /** Attempts to write a row group whose file is damaged immediately after it was written. */
    private static final int MAX_WRITES = 3;

    private final Object lock = new Object();
    private final OwnedDirectory directory;
    private final RowGroupDisk disk;
    private final BufferAllocator loading;
    private final BufferAllocator mapped = new RootAllocator(Long.MAX_VALUE);
    private final CheckThread checks;
    private final Map<RowGroupKey, Entry> entries = new HashMap<>();
    private final Space space;
    private final EntryFiles files;
    private final Room room;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Prefetches prefetches = new Prefetches();
    private int running;
    private long damagedAtPin;
    private long damagedInUse;
    private boolean closed;

    /**
     * @param disk writes to the directory
     */
    RowGroupStore(
            OwnedDirectory directory, RowGroupDisk disk, long maxBytes, BufferAllocator loading) {
        this.directory = directory;
        this.disk = disk;
        this.space = new Space(maxBytes);
        this.loading = loading;
        this.files = new EntryFiles(disk, mapped);
        this.checks = new CheckThread(disk.directory());
        this.room = new Room(lock, space, entries, disk, files);
    }

    /**
     * Opens an empty store in its own subdirectory, which only this user may read. Subdirectories
     * that dead processes left behind are deleted.
     *
     * @param maxBytes the limit of the total size of the store's files
     * @param allocator for loaders; must outlive the store, see {@link #ended}
     */
    public static RowGroupStore open(Path directory, long maxBytes, BufferAllocator allocator)
            throws IOException {
        if (maxBytes <= 0) {
            throw new CacheException(
                    "The cache's size must be more than 0 bytes, but is " + maxBytes + ".");
        }
        OwnedDirectory own = OwnedDirectory.open(directory);
        return new RowGroupStore(own, new RowGroupDisk(own.path()), maxBytes, allocator);
    }

    /**
     * Pins a row group; loads it first if the store does not contain it. Each caller gets its own
     * hold and must close it. A future that its caller has cancelled or completed gets no hold.
     *
     * <p>The future fails with the loader's exception, with {@link CacheFullException} if the
     * pinned row groups leave no space, with {@link CacheException} if the row group is too large
     * or cannot be written, or with {@link IllegalStateException} if the store is closed. A failure
     * is reported to all waiting callers and not cached: the next caller loads again.
     *
     * @param loader called at most once for all callers that wait for the row group
     * @param executor runs the load and the dependents of waiting callers' futures
     */
    public CompletableFuture<PinnedRowGroup> pin(
            RowGroupKey key, RowGroupLoader loader, Executor executor) {
        CompletableFuture<PinnedRowGroup> caller = new CompletableFuture<>();
        Entry entry;
        boolean starts;
        synchronized (lock) {
            if (closed) {
                return CompletableFuture.failedFuture(closedException());
            }
            entry = entries.computeIfAbsent(key, Entry::new);
            if (entry.state == State.PINNED) {
                return CompletableFuture.completedFuture(hold(entry));
            }
            starts = entry.state != State.BUSY || entry.executor == null;
            if (entry.state == State.UNCHECKED) {
                room.checkEnded();
            }
            space.pin(entry);
            entry.state = State.BUSY;
            if (entry.callers.isEmpty()) {
                entry.loader = loader;
                entry.executor = executor;
            }
            entry.callers.add(caller);
        }
        if (starts) {
            start(entry);
        }
        return caller;
    }

    /** Pins of all callers that may be given up. */
    public Prefetches prefetches() {
        return prefetches;
    }

    /** The size of the files of all row groups, pinned or not. */
    public long usedBytes() {
        synchronized (lock) {
            return space.used();
        }
    }

    /** The size of the files of all row groups that are pinned, being written or being checked. */
    public long pinnedBytes() {
        synchronized (lock) {
            return space.pinned();
        }
    }

    /**
     * The limit of the total size of the store's files. It falls when the disk is full, and rises
     * again for row groups in use.
     */
    public long maxBytes() {
        synchronized (lock) {
            return space.max();
        }
    }

    /** Counts since the store was opened. */
    public CacheStats stats() {
        synchronized (lock) {
            return new CacheStats(damagedAtPin, damagedInUse);
        }
    }

    /**
     * Completes when the store is closed and no load is running, so that the store no longer uses
     * the loaders' allocator.
     */
    public CompletionStage<Void> ended() {
        return ended;
    }

    /**
     * Checks the row groups that were in use, for a limited time, fails all waiting callers, and
     * deletes the store's files. Does not wait for running loads, which may hang on a remote file
     * system: see {@link #ended}. A row group that is still pinned stays mapped until its last hold
     * is closed.
     */
    @Override
    public void close() throws IOException {
        checks.close();
        List<CompletableFuture<PinnedRowGroup>> waiting = new ArrayList<>();
        List<Entry> idle = new ArrayList<>();
        boolean last;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            for (Entry entry : List.copyOf(entries.values())) {
                waiting.addAll(entry.callers);
                entry.callers.clear();
                if (entry.state == State.IDLE || entry.state == State.UNCHECKED) {
                    forget(entry);
                    idle.add(entry);
                }
            }
            last = running == 0;
            room.close();
        }
        waiting.forEach(caller -> caller.completeExceptionally(closedException()));
        idle.forEach(files::release);
        if (last) {
            end();
        }
    }

    private void end() {
        try {
            directory.close();
            closeMappedIfLast();
            ended.complete(null);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot delete the cache in {}: {}", disk.directory(), e, e);
            ended.completeExceptionally(e);
        }
    }

    private void start(Entry entry) {
        try {
            entry.executor.execute(() -> run(entry));
        } catch (RejectedExecutionException e) {
            fail(entry, e);
        }
    }

    /** Runs a task for an entry that is {@link State#BUSY}. */
    private interface Task {
        void run() throws IOException;
    }

    private void run(Entry entry) {
        boolean starts;
        synchronized (lock) {
            starts = !closed;
            if (starts) {
                running++;
            } else {
                forget(entry);
            }
        }
        if (starts) {
            runCounted(entry, () -> load(entry));
        } else {
            files.release(entry);
            closeMappedIfLast();
        }
    }

    /** Runs a task that {@link #running} already counts. */
    private void runCounted(Entry entry, Task task) {
        try {
            task.run();
        } catch (Throwable t) {
            // Waiting callers must get every failure, whatever its type.
            fail(entry, t);
        }
        boolean last;
        synchronized (lock) {
            running--;
            last = closed && running == 0;
        }
        if (last) {
            end();
        }
    }

    /**
     * Makes an entry ready for its callers: from its mapping, from its file, or with its loader.
     */
    private void load(Entry entry) throws IOException {
        boolean sound = entry.file != null && openIfSound(entry);
        for (int writes = 0; !sound && writes < MAX_WRITES; writes++) {
            write(entry);
            sound = openIfSound(entry);
        }
        if (!sound) {
            throw new CacheException(
                    "The disk of the cache directory "
                            + disk.directory()
                            + " does not return what was written to it, "
                            + MAX_WRITES
                            + " times for the same row group; set cache.directory to another"
                            + " disk.");
        }
        publish(entry);
    }

    /** Writes the file of an entry that has none, with its loader. */
    private void write(Entry entry) throws IOException {
        try (VectorSchemaRoot root = entry.loader.load(loading)) {
            long body = RowGroupFile.bodyBytes(entry.key, root);
            room.reserve(entry, body);
            entry.file = room.write(entry, root, body);
        }
        // The metadata's size is known only now.
        room.reserve(entry, entry.file.bytes());
    }

    /**
     * Checks the content of an entry without holds and maps it. A damaged file is deleted and
     * reported to its holders since the last check.
     */
    private boolean openIfSound(Entry entry) throws IOException {
        Optional<Damage> damage =
                entry.open == null ? files.openAndCheck(entry) : entry.open.check();
        boolean wasInUse = entry.open != null;
        List<Consumer<Damage>> listeners;
        synchronized (lock) {
            if (damage.isEmpty()) {
                entry.listeners.clear();
                return true;
            }
            if (wasInUse) {
                damagedInUse++;
            } else {
                damagedAtPin++;
            }
            listeners = List.copyOf(entry.listeners);
            entry.listeners.clear();
        }
        LOG.warn("The cache file {}; its row group is made again.", damage.get());
        if (damage.get().contentChanged()) {
            listeners.forEach(listener -> listener.accept(damage.get()));
        }
        files.release(entry);
        return false;
    }

    private void publish(Entry entry) {
        List<CompletableFuture<PinnedRowGroup>> callers;
        List<PinnedRowGroup> holds = new ArrayList<>();
        synchronized (lock) {
            entry.state = State.PINNED;
            callers = List.copyOf(entry.callers);
            entry.callers.clear();
            // All holds are created before the first is handed out, so that closing it cannot free
            // the entry.
            for (int i = 0; i < Math.max(1, callers.size()); i++) {
                holds.add(hold(entry));
            }
        }
        if (callers.isEmpty()) {
            holds.get(0).close();
        }
        for (int i = 0; i < callers.size(); i++) {
            if (!callers.get(i).complete(holds.get(i))) {
                holds.get(i).close();
            }
        }
    }

    private void fail(Entry entry, Throwable cause) {
        List<CompletableFuture<PinnedRowGroup>> callers;
        synchronized (lock) {
            forget(entry);
            callers = List.copyOf(entry.callers);
            entry.callers.clear();
        }
        files.release(entry);
        if (callers.isEmpty()) {
            LOG.warn("Cannot check the cached row group {}: {}", entry.key.text(), cause, cause);
        }
        callers.forEach(caller -> caller.completeExceptionally(cause));
    }

    private PinnedRowGroup hold(Entry entry) {
        synchronized (lock) {
            entry.pins++;
            space.pin(entry);
        }
        return new Hold(this, entry);
    }

    void unhold(Entry entry) {
        boolean stays;
        long release;
        synchronized (lock) {
            if (--entry.pins > 0) {
                return;
            }
            release = ++entry.releases;
            stays = !closed && entries.get(entry.key) == entry;
            if (stays) {
                entry.state = State.UNCHECKED;
                room.checkBegins();
            } else {
                forget(entry);
            }
        }
        if (stays) {
            checks.submit(() -> check(entry, release));
        } else {
            files.release(entry);
            closeMappedIfLast();
        }
    }

    private void check(Entry entry, long release) {
        synchronized (lock) {
            if (closed || entry.state != State.UNCHECKED || entry.releases != release) {
                return; // pinned again, and checked by that
            }
            entry.state = State.BUSY;
            running++;
        }
        runCounted(
                entry,
                () -> {
                    if (openIfSound(entry)) {
                        settle(entry);
                    } else {
                        loadAgain(entry);
                    }
                });
        synchronized (lock) {
            room.checkEnded();
        }
    }

    /** After a successful check: gives the row group to waiting callers, or unmaps it. */
    private void settle(Entry entry) throws IOException {
        OpenRowGroup closing;
        synchronized (lock) {
            if (!entry.callers.isEmpty()) {
                closing = null;
            } else {
                closing = entry.open;
                entry.open = null;
                entry.state = State.IDLE;
                space.unpin(entry);
            }
        }
        if (closing == null) {
            publish(entry);
        } else {
            closing.close();
        }
    }

    /** After a failed check: loads the row group for waiting callers, or removes it. */
    private void loadAgain(Entry entry) {
        synchronized (lock) {
            if (entry.callers.isEmpty()) {
                forget(entry);
                return;
            }
        }
        start(entry);
    }

    /** Removes an entry; the caller releases its files outside the lock. */
    private void forget(Entry entry) {
        entries.remove(entry.key, entry);
        space.remove(entry);
    }

    private void closeMappedIfLast() {
        synchronized (lock) {
            if (closed && mapped.getAllocatedMemory() == 0) {
                mapped.close();
            }
        }
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("The row-group store is closed.");
    }

    /** Keeps an entry from being pinned by others; its holds stay valid until they close. */
    void damaged(Entry entry, Damage damage) {
        synchronized (lock) {
            if (!entries.remove(entry.key, entry)) {
                return; // another hold has found it
            }
            damagedInUse++;
        }
        LOG.warn("The cache file {}; its row group is made again.", damage);
    }

    void listen(Entry entry, Consumer<Damage> listener) {
        synchronized (lock) {
            entry.listeners.add(listener);
        }
    }
}
