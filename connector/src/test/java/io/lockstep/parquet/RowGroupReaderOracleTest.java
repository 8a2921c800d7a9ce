package io.lockstep.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.Progress;
import io.lockstep.testing.ArrowFiles;
import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares files of every type, codec, page version and encoding with what pyarrow reads. */
class RowGroupReaderOracleTest {

    @TempDir private Path directory;

    @Test
    void readsWhatPyarrowReads() throws Exception {
        TestPython.runResource("parquet_oracle.py", "make", directory);
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.sorted().toList();
        }
        for (Path file : files) {
            copyToArrow(file);
        }
        String compared = TestPython.runResource("parquet_oracle.py", "compare", directory);
        assertThat(compared.strip()).isEqualTo(String.valueOf(files.size()));
    }

    private static void copyToArrow(Path file) throws IOException {
        Manifest manifest = ManifestPlanner.plan(List.of(file.toString()), Progress.NONE);
        RowGroupReader reader = new RowGroupReader(manifest, List.of());
        Path target =
                file.resolveSibling(file.getFileName().toString().replace("parquet", "arrow"));
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE)) {
            ArrowFiles.write(target, reader, manifest.rowGroups().size(), allocator);
        }
    }
}
