package io.lockstep.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.ownership.OwnedDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ownership in a cache directory that several stores and processes share. */
class LeftoversTest {

    @TempDir Path directory;
    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    @Test
    void deletesWhatAKilledProcessLeft() throws Exception {
        Process owner = startOwner();
        owner.destroyForcibly().waitFor();
        assertThat(arrowFiles()).hasSize(1);
        try (RowGroupStore store = RowGroupStore.open(directory, 1 << 20, allocator)) {
            assertThat(store.usedBytes()).isZero();
            assertThat(arrowFiles()).isEmpty();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void deletesAtItsEndWhatAProcessLeftThatWasKilledMeanwhile() throws Exception {
        Process owner = startOwner();
        try (RowGroupStore store = RowGroupStore.open(directory, 1 << 20, allocator)) {
            owner.destroyForcibly().waitFor();
            assertThat(arrowFiles()).hasSize(1);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void leavesAloneWhatALivingProcessOwns() throws Exception {
        Process owner = startOwner();
        try {
            RowGroupStore.open(directory, 1 << 20, allocator).close();
            assertThat(arrowFiles()).hasSize(1);
        } finally {
            owner.destroyForcibly().waitFor();
        }
    }

    /** Two stores that one process opens concurrently check the same leftovers. */
    @Test
    void leavesToAnotherThreadWhatThatLooksAt() throws Exception {
        startOwner().destroyForcibly().waitFor();
        try (FileChannel other = FileChannel.open(lockFile(), StandardOpenOption.WRITE)) {
            other.lock();
            RowGroupStore.open(directory, 1 << 20, allocator).close();
            assertThat(arrowFiles()).hasSize(1);
        }
        RowGroupStore.open(directory, 1 << 20, allocator).close();
        assertThat(directory).isEmptyDirectory();
    }

    private Path lockFile() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".lock"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void leavesAloneWhatAnotherStoreOfThisProcessOwns() throws Exception {
        try (RowGroupStore first = RowGroupStore.open(directory, 1 << 20, allocator)) {
            first.pin(new RowGroupKey("first"), a -> Rows.from(1, 10, a), Runnable::run)
                    .get()
                    .close();
            RowGroupStore.open(directory, 1 << 20, allocator).close();
            assertThat(arrowFiles()).hasSize(1);
            // The other store must not have released the first one's lock by accident.
            startOwner().destroyForcibly().waitFor();
            assertThat(arrowFiles()).hasSize(2);
        }
    }

    @Test
    void leavesAloneWhatIsNotOfItsKind() throws Exception {
        Path data = Files.createDirectories(directory.resolve("poetry/data"));
        Path lock = Files.createFile(directory.resolve("poetry.lock"));
        Path table = Files.createFile(data.resolve("part-0.parquet"));

        OwnedDirectory.open(directory).close();

        assertThat(List.of(lock, table)).allSatisfy(file -> assertThat(file).exists());
    }

    @Test
    void deletesWhatWasWrittenIntoASubdirectoryAfterItsEnd() throws Exception {
        Path late;
        try (OwnedDirectory owned = OwnedDirectory.open(directory)) {
            late = owned.path().resolve("late/file");
        }
        Files.createDirectories(late.getParent());
        Files.createFile(late);

        OwnedDirectory.open(directory).close();

        assertThat(directory).isEmptyDirectory();
    }

    private Process startOwner() throws IOException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        ProcessHandle.current().info().command().orElse("java"),
                                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Owner.class.getName(),
                                        directory.toString()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertThat(process.getInputStream().read()).as("the owner is ready").isEqualTo('\n');
        return process;
    }

    private List<Path> arrowFiles() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".arrow")).toList();
        }
    }
}
