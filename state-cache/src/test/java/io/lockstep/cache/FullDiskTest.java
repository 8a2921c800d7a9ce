package io.lockstep.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store on a disk that is smaller than the configured cache size. Needs root, to mount the disk.
 */
class FullDiskTest {

    private static final Executor HERE = Runnable::run;
    private static final long DISK_BYTES = 1 << 20;
    private static final int ROWS = 10_000;

    @TempDir Path directory;
    private final BufferAllocator allocator = new RootAllocator();

    @BeforeEach
    void mount() throws Exception {
        assumeThat(succeeds("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "none", here()))
                .as("a small disk can be mounted")
                .isTrue();
    }

    @AfterEach
    void unmount() throws Exception {
        assertThat(succeeds("umount", here())).isTrue();
        allocator.close();
    }

    @Test
    void goesOnWithWhatFits() throws Exception {
        try (RowGroupStore store = RowGroupStore.open(directory, 1 << 30, allocator)) {
            for (int i = 0; i < 20; i++) {
                try (PinnedRowGroup pinned = pin(store, i)) {
                    assertThat(pinned.root().getVector("number").getObject(0)).isEqualTo((long) i);
                }
            }
            assertThat(store.maxBytes()).isLessThanOrEqualTo(DISK_BYTES);
            assertThat(store.usedBytes()).isGreaterThan(DISK_BYTES / 2);
        }
    }

    @Test
    void failsWithTheNumbersIfThePinnedRowGroupsFillTheDisk() throws Exception {
        List<PinnedRowGroup> pinned = new ArrayList<>();
        try (RowGroupStore store = RowGroupStore.open(directory, 1 << 30, allocator)) {
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 20; i++) {
                                    pinned.add(pin(store, i));
                                }
                            })
                    .cause()
                    .isInstanceOf(CacheException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("bytes are left and row groups in use take");
            pinned.forEach(PinnedRowGroup::close);
            pin(store, 100).close();
        }
    }

    @Test
    void rowGroupsInUseTakeSpaceThatIsFreeAgain() throws Exception {
        Path other = Files.write(directory.resolve("other"), new byte[(int) DISK_BYTES * 3 / 4]);
        List<PinnedRowGroup> pinned = new ArrayList<>();
        try (RowGroupStore store = RowGroupStore.open(directory, 1 << 30, allocator)) {
            for (int i = 0; i < 10; i++) {
                pin(store, i).close();
            }
            long lowered = store.maxBytes();
            assertThat(lowered).isLessThan(DISK_BYTES / 2);
            Files.delete(other);
            while (store.pinnedBytes() <= lowered) {
                pinned.add(pin(store, 100 + pinned.size()));
            }
            pinned.forEach(PinnedRowGroup::close);
        }
    }

    private static PinnedRowGroup pin(RowGroupStore store, int number) throws Exception {
        return store.pin(new RowGroupKey("group " + number), a -> Rows.from(number, ROWS, a), HERE)
                .get();
    }

    private String here() {
        return directory.toString();
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }
}
