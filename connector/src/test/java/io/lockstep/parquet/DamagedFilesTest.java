package io.lockstep.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.Progress;
import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Corrupts random bytes of files: reading must return values or report an error, free its memory,
 * and never access foreign memory.
 */
class DamagedFilesTest {

    private static final int CHANGES = 100;

    @TempDir private Path directory;

    @Test
    void neitherCrashesNorLeaks() throws Exception {
        TestPython.runResource("parquet_oracle.py", "small", directory);
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.sorted().toList();
        }
        Random random = new Random(5);
        int refused = 0;
        for (Path file : files) {
            byte[] good = Files.readAllBytes(file);
            for (int i = 0; i < CHANGES; i++) {
                byte[] bad = good.clone();
                int at = random.nextInt(bad.length);
                bad[at] = (byte) random.nextInt();
                Files.write(file, bad);
                refused += read(file) ? 0 : 1;
            }
        }
        assertThat(refused).isBetween(CHANGES, CHANGES * files.size() - 1);
    }

    @Test
    void aFlippedByteFailsThePagesChecksum() throws Exception {
        TestPython.runResource("parquet_oracle.py", "checksums", directory);
        for (String name : List.of("v1", "v2")) {
            Path file = directory.resolve(name + ".parquet");
            byte[] bytes = Files.readAllBytes(file);
            assertThat(read(file)).isTrue();
            // The last page of the last row group ends where the footer begins.
            int footer =
                    ByteBuffer.wrap(bytes)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getInt(bytes.length - 2 * Integer.BYTES);
            bytes[bytes.length - 2 * Integer.BYTES - footer - 1] ^= 1;
            Files.write(file, bytes);
            try (BufferAllocator allocator = Allocators.root(1 << 28)) {
                RowGroupReader reader =
                        new RowGroupReader(
                                ManifestPlanner.plan(List.of(file.toString()), Progress.NONE),
                                List.of());
                reader.read(0, allocator).close();
                assertThatThrownBy(() -> reader.read(1, allocator))
                        .isInstanceOf(UserException.class)
                        .hasMessageStartingWith("The column \"y\" of row group 1 in file:" + file)
                        .hasMessageContaining("checksum");
            }
        }
    }

    private static boolean read(Path file) throws IOException {
        try (BufferAllocator allocator = Allocators.root(1 << 28)) {
            Manifest manifest = ManifestPlanner.plan(List.of(file.toString()), Progress.NONE);
            String first = manifest.columns().get(0).getName();
            RowGroupReader reader =
                    new RowGroupReader(
                            manifest, manifest.unreadable().isEmpty() ? List.of() : List.of(first));
            for (int group = 0; group < manifest.rowGroups().size(); group++) {
                reader.read(group, allocator).close();
            }
            return true;
        } catch (UserException e) {
            assertThat(e.getMessage()).contains(file.toString());
            return false;
        } catch (OutOfMemoryException e) {
            // A corrupted number of values that is too large for this allocator.
            return false;
        }
    }
}
