package io.lockstep.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of one store, from opening to close. */
class RowGroupStoreTest {

    private static final Executor HERE = Runnable::run;
    private static final int ROWS = 1000;

    @TempDir Path directory;
    private final BufferAllocator allocator = new RootAllocator();
    private final ExecutorService pool = Executors.newFixedThreadPool(4);

    @AfterEach
    void nothingLeaks() {
        pool.shutdownNow();
        allocator.close();
    }

    @Test
    void holdsWhatWasLoaded() throws Exception {
        try (RowGroupStore store = open(1 << 20);
                PinnedRowGroup pinned = store.pin(key(7), loader(7), HERE).get();
                VectorSchemaRoot expected = Rows.from(7, ROWS, allocator)) {
            assertThat(pinned.root().equals(expected)).isTrue();
            assertThat(store.usedBytes()).isEqualTo(pinned.bytes());
            assertThat(store.pinnedBytes()).isEqualTo(pinned.bytes());
            assertThat(store.maxBytes()).isEqualTo(1 << 20);
            assertThat(files()).hasSize(1);
            assertThat(Files.size(files().get(0))).isEqualTo(pinned.bytes());
        }
    }

    @Test
    void keepsFilesThatAnyArrowToolOpens() throws Exception {
        try (RowGroupStore store = open(1 << 20);
                PinnedRowGroup pinned = store.pin(key(7), loader(7), HERE).get();
                ArrowFileReader reader =
                        new ArrowFileReader(Files.newByteChannel(files().get(0)), allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            assertThat(reader.getVectorSchemaRoot().equals(pinned.root())).isTrue();
        }
    }

    @Test
    void mapsWithoutACopy() throws Exception {
        try (RowGroupStore store = open(1 << 20);
                PinnedRowGroup pinned = store.pin(key(7), loader(7), HERE).get()) {
            assertThat(allocator.getAllocatedMemory()).isZero();
            assertThat(mapped()).isEqualTo(1);
            for (FieldVector vector : pinned.root().getFieldVectors()) {
                assertThat(vector.getAllocator().getAllocatedMemory()).isEqualTo(pinned.bytes());
            }
        }
        assertThat(mapped()).isZero();
    }

    @Test
    void loadsOnceHoweverManyAsk() throws Exception {
        AtomicInteger loads = new AtomicInteger();
        CountDownLatch asked = new CountDownLatch(1);
        try (RowGroupStore store = open(1 << 20)) {
            List<CompletableFuture<PinnedRowGroup>> futures = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                futures.add(
                        store.pin(
                                key(1),
                                a -> {
                                    await(asked);
                                    loads.incrementAndGet();
                                    return Rows.from(1, ROWS, a);
                                },
                                pool));
            }
            asked.countDown();
            for (CompletableFuture<PinnedRowGroup> future : futures) {
                future.get().close();
            }
            store.pin(key(1), loader(1), HERE).get().close();
            assertThat(loads).hasValue(1);
            awaitUnpinned(store);
        }
    }

    @Test
    void failsAllWhoWaitAndLoadsAgainForTheNext() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        IOException broken = new IOException("the shard is broken");
        try (RowGroupStore store = open(1 << 20)) {
            RowGroupLoader failing =
                    a -> {
                        await(asked);
                        throw broken;
                    };
            CompletableFuture<PinnedRowGroup> first = store.pin(key(1), failing, pool);
            CompletableFuture<PinnedRowGroup> second = store.pin(key(1), loader(1), pool);
            asked.countDown();
            assertThatThrownBy(first::get).hasCause(broken);
            assertThatThrownBy(second::get).hasCause(broken);
            assertThat(store.usedBytes()).isZero();
            store.pin(key(1), loader(1), HERE).get().close();
        }
    }

    @Test
    void failsThoseWhoWaitWhenTheExecutorTakesNoMore() throws Exception {
        try (RowGroupStore store = open(1 << 20)) {
            pool.shutdown();
            assertThatThrownBy(() -> store.pin(key(1), loader(1), pool).get())
                    .hasCauseInstanceOf(RejectedExecutionException.class);
            store.pin(key(1), loader(1), HERE).get().close();
        }
    }

    @Test
    void takesNoHoldForAnAskerWhoHasGone() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (RowGroupStore store = open(1 << 20)) {
            RowGroupLoader slow =
                    a -> {
                        await(asked);
                        return Rows.from(1, ROWS, a);
                    };
            CompletableFuture<PinnedRowGroup> gone = store.pin(key(1), slow, pool);
            CompletableFuture<PinnedRowGroup> stays = store.pin(key(1), slow, pool);
            gone.cancel(false);
            asked.countDown();
            stays.get().close();
            awaitUnpinned(store);
            assertThat(store.usedBytes()).isPositive();
        }
    }

    @Test
    void givesUpTheRowGroupThatWasLetGoFirst() throws Exception {
        long size = sizeOfOne();
        try (RowGroupStore store = open(3 * size)) {
            PinnedRowGroup kept = store.pin(key(0), loader(0), HERE).get();
            PinnedRowGroup early = store.pin(key(1), loader(1), HERE).get();
            PinnedRowGroup late = store.pin(key(2), loader(2), HERE).get();
            late.close();
            early.close();
            // Pinned once more, so that it is the last to be unpinned.
            store.pin(key(2), failIfCalled(), HERE).get().close();
            store.pin(key(3), loader(3), HERE).get().close();
            assertThat(store.usedBytes()).isEqualTo(3 * size);
            assertThat(files()).hasSize(3);
            store.pin(key(2), failIfCalled(), HERE).get().close();
            AtomicInteger loads = new AtomicInteger();
            store.pin(
                            key(1),
                            a -> {
                                loads.incrementAndGet();
                                return Rows.from(1, ROWS, a);
                            },
                            HERE)
                    .get()
                    .close();
            assertThat(loads).hasValue(1);
            kept.close();
        }
        assertThat(mapped()).isZero();
    }

    @Test
    void refusesWhatDoesNotFitBesideThePinned() throws Exception {
        long size = sizeOfOne();
        try (RowGroupStore store = open(2 * size)) {
            PinnedRowGroup first = store.pin(key(1), loader(1), HERE).get();
            PinnedRowGroup second = store.pin(key(2), loader(2), HERE).get();
            assertThatThrownBy(() -> store.pin(key(3), loader(3), HERE).get())
                    .cause()
                    .isInstanceOfSatisfying(
                            CacheFullException.class,
                            full -> {
                                assertThat(full.pinnedBytes()).isEqualTo(2 * size);
                                assertThat(full.maxBytes()).isEqualTo(2 * size);
                                assertThat(full).hasMessageContaining("group 3");
                            });
            assertThat(store.usedBytes()).isEqualTo(2 * size);
            first.close();
            store.pin(key(3), loader(3), HERE).get().close();
            second.close();
            assertThat(files()).hasSize(2);
        }
    }

    @Test
    void refusesMoreThanCanBeMapped() throws Exception {
        // Nine vectors share one buffer, so that this size is not allocated in memory.
        RowGroupLoader huge =
                a -> {
                    int rows = 256 << 20;
                    List<FieldVector> vectors = new ArrayList<>();
                    try (ArrowBuf data = a.buffer(rows)) {
                        for (int i = 0; i < 9; i++) {
                            UInt1Vector vector = new UInt1Vector("c" + i, a);
                            vector.loadFieldBuffers(
                                    new ArrowFieldNode(rows, 1),
                                    List.of(data.slice(0, rows / 8), data));
                            vectors.add(vector);
                        }
                    }
                    return new VectorSchemaRoot(vectors);
                };
        try (RowGroupStore store = open(Long.MAX_VALUE)) {
            assertThatThrownBy(() -> store.pin(key(1), huge, HERE).get())
                    .cause()
                    .isInstanceOf(CacheException.class)
                    .hasMessageContaining("group 1")
                    .hasMessageContaining("smaller row groups");
        }
    }

    @Test
    void asksForRoomWhereTheDiskDoesNotTakeARowGroup() throws Exception {
        try (RowGroupStore store = open(1 << 20)) {
            store.pin(key(1), loader(1), HERE).get().close();
            awaitUnpinned(store);
            Path own = files().get(0).getParent();
            Files.delete(files().get(0));
            Files.delete(own);
            Files.createFile(own);
            assertThatThrownBy(() -> store.pin(key(2), loader(2), HERE).get())
                    .cause()
                    .isInstanceOf(CacheException.class)
                    .hasMessageContaining(own.toString())
                    .hasMessageContaining("make room there");
        }
    }

    @Test
    void refusesTheUseOfAHoldThatIsClosed() throws Exception {
        try (RowGroupStore store = open(1 << 20)) {
            PinnedRowGroup one = store.pin(key(1), loader(1), HERE).get();
            PinnedRowGroup other = store.pin(key(1), loader(1), HERE).get();
            one.close();
            one.close();
            assertThatThrownBy(one::root).isInstanceOf(IllegalStateException.class);
            assertThat(other.root().getRowCount()).isEqualTo(ROWS);
            other.close();
        }
    }

    @Test
    void keepsPinnedRowGroupsMappedAfterItsEnd() throws Exception {
        RowGroupStore store = open(1 << 20);
        PinnedRowGroup pinned = store.pin(key(1), loader(1), HERE).get();
        store.close();
        store.close();
        assertThat(directory).isEmptyDirectory();
        assertThat(pinned.root().getVector("number").getObject(1)).isEqualTo(2L);
        pinned.close();
        assertThat(mapped()).isZero();
        assertThatThrownBy(() -> store.pin(key(1), loader(1), HERE).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void closesWithoutWaitingForALoadThatHangs() throws Exception {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        RowGroupStore store = open(1 << 20);
        RowGroupLoader slow =
                a -> {
                    loading.countDown();
                    await(answered);
                    return Rows.from(1, ROWS, a);
                };
        CompletableFuture<PinnedRowGroup> waiting = store.pin(key(1), slow, pool);
        loading.await();

        store.close();

        assertThatThrownBy(waiting::get).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(store.ended().toCompletableFuture()).isNotDone();
        answered.countDown();
        store.ended().toCompletableFuture().get();
        assertThat(directory).isEmptyDirectory();
        assertThat(mapped()).isZero();
    }

    @Test
    void staysWithinItsBoundsUnderManyThreads() throws Exception {
        long max = 5 * sizeOfOne();
        try (RowGroupStore store = open(max)) {
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Random random = new Random(t);
                threads.add(
                        CompletableFuture.runAsync(
                                () -> {
                                    for (int i = 0; i < 300; i++) {
                                        int number = random.nextInt(12);
                                        checkOne(store, number, max);
                                    }
                                },
                                pool));
            }
            for (CompletableFuture<Void> thread : threads) {
                thread.get();
            }
            awaitUnpinned(store);
            assertThat(store.usedBytes()).isEqualTo(max);
            assertThat(files()).hasSize(5);
        }
        assertThat(mapped()).isZero();
    }

    private static void checkOne(RowGroupStore store, int number, long max) {
        try (PinnedRowGroup pinned = store.pin(key(number), loader(number), HERE).join()) {
            assertThat(pinned.root().getVector("number").getObject(0)).isEqualTo((long) number);
            assertThat(store.usedBytes()).isLessThanOrEqualTo(max);
        }
    }

    private RowGroupStore open(long maxBytes) throws IOException {
        return RowGroupStore.open(directory, maxBytes, allocator);
    }

    private long sizeOfOne() throws Exception {
        try (RowGroupStore store = open(1 << 20);
                PinnedRowGroup pinned = store.pin(key(0), loader(0), HERE).get()) {
            return pinned.bytes();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".arrow")).toList();
        }
    }

    /** The number of this test's files that the process has mapped. */
    private long mapped() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains(directory.toString())).count();
        }
    }

    /** Waits for the checks: a row group counts as pinned until it is checked. */
    static void awaitUnpinned(RowGroupStore store) {
        while (store.pinnedBytes() > 0) {
            Thread.onSpinWait();
        }
    }

    private static RowGroupKey key(int number) {
        return new RowGroupKey("group " + number);
    }

    private static RowGroupLoader loader(long first) {
        return allocator -> Rows.from(first, ROWS, allocator);
    }

    private static RowGroupLoader failIfCalled() {
        return allocator -> {
            throw new AssertionError("The row group was to be in the store");
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
