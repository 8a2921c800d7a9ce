package io.lockstep.cache;

import io.lockstep.cache.Entry.State;
import io.lockstep.ownership.OwnedDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decoded row groups on the local disk, as mapped Arrow files. Each is loaded once, however many
 * askers there are, and all together never take more than a given number of bytes.
 *
 * <p>Pinned row groups stay. When space is needed, the store evicts the row group that was unpinned
 * first; see {@link Space}.
 *
 * <p>Stored bytes are not trusted. The CRC32C of a file is compared when its row group is pinned,
 * and again after its last hold is closed, by reading the file rather than its mapping. A damaged
 * file is deleted and its row group loaded again. A file that this store has just written counts as
 * checked.
 *
 * <p>An allocator of the store accounts for mapped bytes: they belong to the page cache, not to the
 * memory of the process. Thread-safe; no I/O happens while the lock is held.
 */
public final class RowGroupStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RowGroupStore.class);

    /** Java maps at most 2 GiB - 1 of a file at once; the file's metadata needs a little of it. */
    private static final long MAX_BODY_BYTES = Integer.MAX_VALUE - (16L << 20);

    /** How long {@link #close} waits for the checks of row groups that were in use. */
    private static final long CHECK_SECONDS = 3;

    private final Object lock = new Object();
    private final OwnedDirectory directory;
    private final RowGroupDisk disk;
    private final BufferAllocator loading;
    private final BufferAllocator mapped = new RootAllocator(Long.MAX_VALUE);
    private final ExecutorService checker =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "lockstep-cache-check");
                        thread.setDaemon(true);
                        return thread;
                    });

    private final Map<RowGroupKey, Entry> entries = new HashMap<>();
    private final Space space;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int running;
    private int unchecked;
    private long damagedAtPin;
    private long damagedAtUnpin;
    private boolean warnedOfFullDisk;
    private boolean closed;

    private RowGroupStore(OwnedDirectory directory, long maxBytes, BufferAllocator loading) {
        this.directory = directory;
        this.disk = new RowGroupDisk(directory.path());
        this.space = new Space(maxBytes);
        this.loading = loading;
    }

    /**
     * Opens an empty store in a subdirectory of its own, which only this user may read.
     * Subdirectories that dead processes left behind are deleted.
     *
     * @param maxBytes the limit of the total size of the store's files
     * @param allocator where loaders allocate; it must outlive the store, see {@link #ended}
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
     * Pins a row group; loads it first if the store does not hold it. Each asker gets its own hold
     * and must close it. A future that was cancelled or completed by its asker gets no hold.
     *
     * <p>The future fails with what the loader threw, with {@link CacheFullException} if the pinned
     * row groups leave no space, with {@link CacheException} if the row group is too large or
     * cannot be written, or with {@link IllegalStateException} if the store is closed. A failure
     * reaches all who are waiting and is not remembered: the next asker loads again.
     *
     * @param loader called at most once for all who ask while the row group is not there
     * @param executor runs the load, and the dependents of the futures of those who waited
     */
    public CompletableFuture<PinnedRowGroup> pin(
            RowGroupKey key, RowGroupLoader loader, Executor executor) {
        CompletableFuture<PinnedRowGroup> asker = new CompletableFuture<>();
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
                unchecked--;
                lock.notifyAll();
            }
            space.pin(entry);
            entry.state = State.BUSY;
            if (entry.askers.isEmpty()) {
                entry.loader = loader;
                entry.executor = executor;
            }
            entry.askers.add(asker);
        }
        if (starts) {
            start(entry);
        }
        return asker;
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

    /** The limit of the total size of the store's files; it falls when the disk is full. */
    public long maxBytes() {
        synchronized (lock) {
            return space.max();
        }
    }

    /** Counts since the store was opened. */
    public CacheStats stats() {
        synchronized (lock) {
            return new CacheStats(damagedAtPin, damagedAtUnpin);
        }
    }

    /**
     * Completes when the store is closed and no load is running any more: then nothing of it uses
     * the allocator for loading.
     */
    public CompletionStage<Void> ended() {
        return ended;
    }

    /**
     * Checks the row groups that were in use, for a limited time, fails all who wait, and deletes
     * the store's files. Does not wait for running loads, which may hang on a remote file system:
     * see {@link #ended}. A row group that is still pinned stays mapped until its last hold is
     * closed.
     */
    @Override
    public void close() throws IOException {
        endChecks();
        List<CompletableFuture<PinnedRowGroup>> waiting = new ArrayList<>();
        List<Entry> idle = new ArrayList<>();
        boolean last;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            for (Entry entry : List.copyOf(entries.values())) {
                waiting.addAll(entry.askers);
                entry.askers.clear();
                if (entry.state == State.IDLE || entry.state == State.UNCHECKED) {
                    forget(entry);
                    idle.add(entry);
                }
            }
            last = running == 0;
            lock.notifyAll();
        }
        waiting.forEach(asker -> asker.completeExceptionally(closedException()));
        idle.forEach(this::release);
        if (last) {
            end();
        }
    }

    private void endChecks() {
        checker.shutdown();
        boolean finished = false;
        try {
            finished = checker.awaitTermination(CHECK_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!finished) {
            int left = checker.shutdownNow().size();
            LOG.warn(
                    "{} row groups in {} were in use at the end and are not checked: reading them"
                            + " takes too long.",
                    left,
                    disk.directory());
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

    /** A step of an entry that is {@link State#BUSY}. */
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
            release(entry);
            closeMappedIfLast();
        }
    }

    /** Runs a task that {@link #running} counts already. */
    private void runCounted(Entry entry, Task task) {
        try {
            task.run();
        } catch (Throwable t) {
            // Whatever it is, those who wait must hear of it.
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

    /** Makes an entry ready for its askers: from its mapping, from its file, or by its loader. */
    private void load(Entry entry) throws IOException {
        if (entry.file != null && isSound(entry)) {
            publish(entry);
            return;
        }
        try (VectorSchemaRoot root = entry.loader.load(loading)) {
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
            entry.file = write(entry, root, body);
        }
        // The metadata's size is known only now.
        reserve(entry, entry.file.bytes());
        entry.open = OpenRowGroup.map(entry.file, entry.file.open(), mapped);
        publish(entry);
    }

    /** Checks the content of an entry and maps it. A damaged file is reported and deleted. */
    private boolean isSound(Entry entry) throws IOException {
        Optional<Damage> damage = entry.open == null ? openAndCheck(entry) : entry.open.check();
        if (damage.isEmpty()) {
            return true;
        }
        boolean wasInUse = entry.open != null;
        List<Consumer<Damage>> listeners;
        synchronized (lock) {
            if (wasInUse) {
                damagedAtUnpin++;
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
        release(entry);
        return false;
    }

    private Optional<Damage> openAndCheck(Entry entry) throws IOException {
        FileChannel channel;
        try {
            channel = entry.file.open();
        } catch (NoSuchFileException e) {
            return Optional.of(new Damage(entry.file.path(), "was deleted", false));
        }
        Optional<Damage> damage;
        try {
            damage = entry.file.check(channel);
        } catch (Throwable t) {
            channel.close();
            throw t;
        }
        if (damage.isEmpty()) {
            entry.open = OpenRowGroup.map(entry.file, channel, mapped);
        } else {
            channel.close();
        }
        return damage;
    }

    /** Writes a row group; if the disk is full, evicts others until it fits. */
    private RowGroupFile write(Entry entry, VectorSchemaRoot root, long body) {
        while (true) {
            try {
                return disk.write(entry.key, root);
            } catch (IOException e) {
                if (!RowGroupDisk.isFull(e) || !makeRoom(body)) {
                    throw cannotWrite(body, e);
                }
            }
        }
    }

    private CacheException cannotWrite(long body, IOException cause) {
        return new CacheException(
                "A row group of "
                        + body
                        + " bytes cannot be written to the cache in "
                        + disk.directory()
                        + ", where "
                        + disk.usableBytes()
                        + " bytes are left and row groups in use take "
                        + pinnedBytes()
                        + " ("
                        + cause.getMessage()
                        + "); make room there, or set cache.directory to another disk and"
                        + " cache.size to what it has.",
                cause);
    }

    /** Evicts row groups of so many bytes, if any, and takes the disk for no larger than it is. */
    private boolean makeRoom(long bytes) {
        List<Entry> victims = new ArrayList<>();
        boolean warn;
        long max;
        synchronized (lock) {
            long freed = 0;
            while (freed < bytes) {
                Optional<Entry> victim = space.evict();
                if (victim.isPresent()) {
                    freed += victim.get().bytes;
                    entries.remove(victim.get().key, victim.get());
                    victims.add(victim.get());
                } else if (!victims.isEmpty() || !awaitCheck()) {
                    break;
                }
            }
            if (victims.isEmpty()) {
                return false;
            }
            space.limitToUsed();
            max = space.max();
            warn = !warnedOfFullDisk;
            warnedOfFullDisk = true;
        }
        victims.forEach(this::release);
        if (warn) {
            LOG.warn(
                    "The disk of the cache directory {} is full: the cache goes on with {} bytes"
                            + " and evicts row groups earlier. Free disk space, or lower"
                            + " cache.size.",
                    disk.directory(),
                    max);
        }
        return true;
    }

    /** Waits until a check has ended; false if none is pending. To be called with the lock held. */
    private boolean awaitCheck() {
        if (unchecked == 0 || closed) {
            return false;
        }
        try {
            lock.wait();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes the entry account for so many bytes, and evicts unpinned ones to make room. */
    private void reserve(Entry entry, long bytes) {
        List<Entry> victims;
        synchronized (lock) {
            while (!space.canReserve(entry, bytes) && awaitCheck()) {
                // A row group that is being checked may be evicted afterwards.
            }
            victims = space.reserve(entry, bytes);
            victims.forEach(victim -> entries.remove(victim.key, victim));
        }
        victims.forEach(this::release);
    }

    private void publish(Entry entry) {
        List<CompletableFuture<PinnedRowGroup>> askers;
        List<PinnedRowGroup> holds = new ArrayList<>();
        synchronized (lock) {
            entry.state = State.PINNED;
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
        release(entry);
        if (askers.isEmpty()) {
            LOG.warn("Cannot check the cached row group {}: {}", entry.key.text(), cause, cause);
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
                unchecked++;
            } else {
                forget(entry);
            }
        }
        if (stays) {
            checkLater(entry, release);
        } else {
            release(entry);
            closeMappedIfLast();
        }
    }

    private void checkLater(Entry entry, long release) {
        try {
            checker.execute(() -> check(entry, release));
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is released while the store closes and is not checked.", entry.key, e);
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
                    if (isSound(entry)) {
                        settle(entry);
                    } else {
                        loadAgain(entry);
                    }
                });
        synchronized (lock) {
            unchecked--;
            lock.notifyAll();
        }
    }

    /** After a successful check: gives the row group to those who ask meanwhile, or unmaps it. */
    private void settle(Entry entry) throws IOException {
        OpenRowGroup closing;
        synchronized (lock) {
            entry.listeners.clear();
            if (!entry.askers.isEmpty()) {
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

    /** After a failed check: loads the row group for those who ask meanwhile, or forgets it. */
    private void loadAgain(Entry entry) {
        synchronized (lock) {
            if (entry.askers.isEmpty()) {
                forget(entry);
                return;
            }
        }
        start(entry);
    }

    /** Removes an entry from the books; the caller releases it outside the lock. */
    private void forget(Entry entry) {
        entries.remove(entry.key, entry);
        space.remove(entry);
    }

    /** Unmaps and deletes the file of an entry, if there is one. */
    private void release(Entry entry) {
        OpenRowGroup open = entry.open;
        RowGroupFile file = entry.file;
        entry.open = null;
        entry.file = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            LOG.warn("Cannot close {}: {}", file.path(), e, e);
        }
        if (file != null) {
            disk.delete(file);
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
        private final OpenRowGroup open;
        private final AtomicBoolean given = new AtomicBoolean();

        Hold(Entry entry) {
            this.entry = entry;
            this.open = entry.open;
        }

        @Override
        public VectorSchemaRoot root() {
            if (given.get()) {
                throw new IllegalStateException(
                        "The hold on row group " + entry.key.text() + " is closed.");
            }
            return open.root();
        }

        @Override
        public long bytes() {
            return entry.bytes;
        }

        @Override
        public void checkLength() {
            Optional<Damage> damage;
            try {
                damage = open.checkLength();
            } catch (IOException e) {
                throw new CacheException(
                        "Cannot read the length of the cache file of row group "
                                + entry.key.text()
                                + ": "
                                + e.getMessage(),
                        e);
            }
            if (damage.isPresent()) {
                truncated(damage.get());
                throw new DamagedRowGroupException(damage.get());
            }
        }

        /** Keeps the entry from being pinned by others; its holds stay valid until they close. */
        private void truncated(Damage damage) {
            synchronized (lock) {
                if (!entries.remove(entry.key, entry)) {
                    return; // another hold has found it
                }
                damagedAtUnpin++;
            }
            LOG.warn("The cache file {}; its row group is made again.", damage);
        }

        @Override
        public void onDamage(Consumer<Damage> listener) {
            synchronized (lock) {
                entry.listeners.add(listener);
            }
        }

        @Override
        public void close() {
            if (given.compareAndSet(false, true)) {
                unhold(entry);
            }
        }
    }
}
