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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans files with columns that Lockstep cannot read. */
class UnreadableColumnsTest {

    @TempDir private Path directory;

    @BeforeEach
    void write() throws Exception {
        TestPython.runResource("parquet_oracle.py", "refused", directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "long", "empty", "short_null", "long_null", "last"})
    void areListsOfAnotherLengthThanTheirType(String name) throws IOException {
        RowGroupReader reader =
                new RowGroupReader(plan(directory.resolve(name + ".parquet")), List.of());
        try (BufferAllocator allocator = Allocators.root(1 << 20)) {
            assertThatThrownBy(() -> reader.read(0, allocator))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("The column \"x\" of row group 0 in file:")
                    .hasMessageContaining(
                            "the list in row 1 of the row group does not have the 2 elements");
        }
    }

    @Test
    void areRefusedByName() throws IOException {
        Path types = directory.resolve("types.parquet");
        Map<String, String> reasons =
                Map.of(
                        "struct", "is a struct",
                        "map", "is a map",
                        "list_of_lists", "is a list of lists",
                        "list_of_structs", "is a list of structs",
                        "decimal76", "has decimals of 76 digits, more than 38",
                        "nothing", "has type UNKNOWN (INT32)");
        Manifest manifest = plan(types);
        assertThat(manifest.unreadable()).hasSameSizeAs(reasons.keySet());
        reasons.forEach(
                (column, reason) ->
                        assertThatThrownBy(() -> manifest.select(List.of("id", column)))
                                .isInstanceOf(UserException.class)
                                .hasMessage(
                                        "The column \"%s\" of file:%s %s, which Lockstep does not"
                                                + " read; choose columns without it, by --columns or 'columns' of the stream.",
                                        column, types, reason));
        assertThat(manifest.select(List.of("id")).getFields()).hasSize(1);
        for (String codec : List.of("BROTLI", "LZ4_RAW")) {
            Path file = directory.resolve(codec + ".parquet");
            Manifest compressed = plan(file);
            assertThatThrownBy(() -> compressed.select(List.of()))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("\"id\" of file:" + file)
                    .hasMessageContaining("is compressed with " + codec)
                    .hasMessageContaining("rewrite the files with zstd");
        }
    }

    private static Manifest plan(Path file) throws IOException {
        return ManifestPlanner.plan(List.of(file.toString()), Progress.NONE);
    }
}
