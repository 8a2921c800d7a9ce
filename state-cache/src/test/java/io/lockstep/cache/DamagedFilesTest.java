package io.lockstep.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.cache.PinnedRowGroup.Check;
import io.lockstep.ownership.OwnedDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a store that change, shrink or disappear under it. */
class DamagedFilesTest {

    private static final Executor HERE = Runnable::run;
    private static final RowGroupKey KEY = new RowGroupKey("group");
    private static final int ROWS = 1000;

    @TempDir Path directory;
    private final BufferAllocator allocator = new RootAllocator();
    private final AtomicInteger loads = new AtomicInteger();
    private RowGroupStore store;

    @BeforeEach
    void open() throws IOException {
        store = RowGroupStore.open(directory, 1 << 20, allocator);
    }

    @AfterEach
    void nothingLeaks() throws Exception {
        store.close();
        store.ended().toCompletableFuture().get();
        allocator.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aByteFlippedWhileNotInUseIsFoundWhenItIsPinned() throws Exception {
        pin().close();
        RowGroupStoreTest.awaitUnpinned(store);
        flip();

        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }

        assertThat(loads).hasValue(2);
        assertThat(store.stats()).isEqualTo(new CacheStats(1, 0));
    }

    @Test
    void aByteFlippedWhileInUseIsFoundAfterTheLastHoldAndToldToAllHolds() throws Exception {
        BlockingQueue<Damage> told = new ArrayBlockingQueue<>(2);
        PinnedRowGroup one = pin();
        PinnedRowGroup other = pin();
        one.onDamage(told::add);
        other.onDamage(told::add);
        flip();
        one.close();
        other.close();

        Damage damage = told.poll(10, TimeUnit.SECONDS);
        assertThat(damage.contentChanged()).isTrue();
        assertThat(damage.reason()).contains("CRC32C");
        assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(damage);
        assertThat(store.stats()).isEqualTo(new CacheStats(0, 1));
        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }
        assertThat(loads).hasValue(2);
    }

    @Test
    void aByteFlippedWhileInUseIsFoundBeforeTheRowsAreUsed() throws Exception {
        PinnedRowGroup pinned = pin();
        pinned.check(Check.CHANGE);
        flip();

        assertThatThrownBy(() -> pinned.check(Check.CHANGE))
                .isInstanceOf(DamagedRowGroupException.class)
                .hasMessageContaining("has the CRC32C");
        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }
        pinned.close();
        assertThat(loads).hasValue(2);
        assertThat(store.stats()).isEqualTo(new CacheStats(0, 1));
    }

    /** The second change gets the same time as the first one if both happen within a tick. */
    @Test
    void aByteFlippedRightAfterAHarmlessChangeIsFound() throws Exception {
        try (PinnedRowGroup pinned = pin()) {
            Files.setLastModifiedTime(file(), FileTime.fromMillis(0));
            pinned.check(Check.CHANGE);
            flip();
            Files.setLastModifiedTime(file(), FileTime.fromMillis(0));
            assertThatThrownBy(() -> pinned.check(Check.CHANGE))
                    .isInstanceOf(DamagedRowGroupException.class);
        }
    }

    @Test
    void aFileThatIsDamagedWhenItIsWrittenIsWrittenAgain() throws Exception {
        try (RowGroupStore damaging = storeThatDamages(1)) {
            try (PinnedRowGroup pinned = pin(damaging)) {
                assertThat(number(pinned)).isEqualTo(7L);
            }
            assertThat(loads).hasValue(2);
            assertThat(damaging.stats()).isEqualTo(new CacheStats(1, 0));
        }
    }

    @Test
    void aDiskThatDamagesEveryFileIsNamed() throws Exception {
        try (RowGroupStore damaging = storeThatDamages(Integer.MAX_VALUE)) {
            assertThatThrownBy(() -> pin(damaging))
                    .cause()
                    .isInstanceOf(CacheException.class)
                    .hasMessageContaining("does not return what was written to it")
                    .hasMessageContaining(directory.toString());
            assertThat(damaging.usedBytes()).isZero();
        }
    }

    /** A store whose disk flips a byte of the first files that are written. */
    private RowGroupStore storeThatDamages(int files) throws IOException {
        AtomicInteger left = new AtomicInteger(files);
        OwnedDirectory own = OwnedDirectory.open(directory);
        RowGroupDisk disk =
                new RowGroupDisk(own.path()) {
                    @Override
                    RowGroupFile write(RowGroupKey key, VectorSchemaRoot root) throws IOException {
                        RowGroupFile written = super.write(key, root);
                        if (left.getAndDecrement() > 0) {
                            flip();
                        }
                        return written;
                    }
                };
        return new RowGroupStore(own, disk, 1 << 20, allocator);
    }

    /**
     * Usually before the check after the previous hold, so that the check at the pin covers both.
     */
    @Test
    void holdsFromBeforeASuccessfulCheckAreNotToldOfLaterDamage() throws Exception {
        BlockingQueue<Damage> told = new ArrayBlockingQueue<>(50);
        for (int i = 0; i < 20; i++) {
            PinnedRowGroup early = pin();
            early.onDamage(told::add);
            early.close();
        }
        BlockingQueue<Damage> last = new ArrayBlockingQueue<>(1);
        PinnedRowGroup late = pin();
        late.onDamage(last::add);
        flip();
        late.close();

        assertThat(last.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(told).isEmpty();
    }

    @Test
    void aFileThatCannotBeReadIsMadeAgain() throws Exception {
        pin().close();
        RowGroupStoreTest.awaitUnpinned(store);
        Path file = file();
        Files.delete(file);
        Files.createDirectory(file);

        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }

        assertThat(store.stats()).isEqualTo(new CacheStats(1, 0));
    }

    @Test
    void aSoundRowGroupIsNotLoadedAgainHoweverOftenItIsPinned() throws Exception {
        for (int i = 0; i < 20; i++) {
            PinnedRowGroup pinned = pin();
            pinned.onDamage(damage -> loads.set(-1));
            pinned.close();
        }
        assertThat(loads).hasValue(1);
        assertThat(store.stats().damaged()).isZero();
    }

    @Test
    void aFileTruncatedWhileInUseIsRejectedBeforeItsRowsAreUsed() throws Exception {
        PinnedRowGroup pinned = pin();
        pinned.check(Check.LENGTH);
        truncate();

        assertThatThrownBy(() -> pinned.check(Check.LENGTH))
                .isInstanceOf(DamagedRowGroupException.class)
                .hasMessageContaining("has 4096 bytes instead of");
        // The next caller gets an intact copy, although the damaged one is still pinned.
        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }
        pinned.close();
        assertThat(loads).hasValue(2);
        assertThat(store.stats().damaged()).isEqualTo(1);
    }

    @Test
    void theStoreGoesOnAfterItsOnlyMappedFileWasTruncated() throws Exception {
        PinnedRowGroup pinned = pin();
        truncate();
        assertThatThrownBy(() -> pinned.check(Check.LENGTH))
                .isInstanceOf(DamagedRowGroupException.class);
        pinned.close();

        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }
    }

    @Test
    void aFileTruncatedWhileNotInUseIsMadeAgain() throws Exception {
        pin().close();
        RowGroupStoreTest.awaitUnpinned(store);
        truncate();
        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }
        assertThat(store.stats()).isEqualTo(new CacheStats(1, 0));
    }

    @Test
    void aDeletedDirectoryIsMadeAgain() throws Exception {
        PinnedRowGroup pinned = pin();
        delete(file());
        assertThat(number(pinned)).isEqualTo(7L);
        pinned.check(Check.LENGTH);
        pinned.check(Check.CHANGE);
        pinned.check(Check.CHANGE);
        pinned.close();
        RowGroupStoreTest.awaitUnpinned(store);
        try (Stream<Path> own = Files.list(directory)) {
            own.filter(Files::isDirectory).forEach(DamagedFilesTest::delete);
        }

        try (PinnedRowGroup again = pin()) {
            assertThat(number(again)).isEqualTo(7L);
        }

        assertThat(loads).hasValue(2);
        assertThat(store.stats()).isEqualTo(new CacheStats(1, 0));
    }

    /** By a user who may write to the cache directory. */
    @Test
    void aLinkInPlaceOfTheDeletedDirectoryIsRefused() throws Exception {
        pin().close();
        RowGroupStoreTest.awaitUnpinned(store);
        Path own = file().getParent();
        delete(file());
        delete(own);
        Path elsewhere = directory.resolve("elsewhere");
        Files.createSymbolicLink(own, elsewhere);

        assertThatThrownBy(this::pin)
                .cause()
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("is a symbolic link")
                .hasMessageContaining("set cache.directory to another disk");
        assertThat(elsewhere).doesNotExist();
        Files.delete(own);
    }

    @Test
    void onlyTheOwnerMayReadFilesAndDirectory() throws Exception {
        try (PinnedRowGroup pinned = pin()) {
            assertThat(pinned.bytes()).isPositive();
            assertThat(mode(file())).isEqualTo("rw-------");
            assertThat(mode(file().getParent())).isEqualTo("rwx------");
        }
    }

    private PinnedRowGroup pin() throws Exception {
        return pin(store);
    }

    private PinnedRowGroup pin(RowGroupStore from) throws Exception {
        return from.pin(
                        KEY,
                        a -> {
                            loads.incrementAndGet();
                            return Rows.from(7, ROWS, a);
                        },
                        HERE)
                .get();
    }

    private static Object number(PinnedRowGroup pinned) {
        return pinned.root().getVector("number").getObject(0);
    }

    private void flip() throws IOException {
        try (FileChannel channel =
                FileChannel.open(file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long middle = channel.size() / 2;
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, middle);
            one.put(0, (byte) (one.get(0) ^ 0x40));
            channel.write(one.flip(), middle);
        }
    }

    private void truncate() throws IOException {
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            channel.truncate(4096);
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".arrow")).toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }
}
