package io.lockstep.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.batch.Allocators;
import io.lockstep.parquet.RowGroupReader;
import io.lockstep.testing.TestParquet;
import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares a manifest's decoded sizes with the memory that vectors take. */
class DecodedBytesTest {

    @TempDir private Path directory;

    @Test
    void areNoLessThanWhatIsTakenWhereTheWriterSaysSizes() throws Exception {
        TestPython.runResource("parquet_oracle.py", "small", directory);
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.toList();
        }
        for (Path file : files) {
            Manifest manifest = plan(file);
            for (Field column : manifest.columns()) {
                String name = column.getName();
                // Besides the vectors, this includes rounding up and a little slack.
                assertThat(manifest.decodedBytes(0, List.of(name)))
                        .as(file + " " + name)
                        .isBetween(taken(manifest, name), 3 * taken(manifest, name) + 1_000);
            }
        }
    }

    @Test
    void areGuessedFromTheDictionary() throws IOException {
        String schema = "message m { required binary word (STRING); }";
        String word = "a word of some length, so that it matters how many times it is there ";
        Path file =
                TestParquet.write(
                        directory.resolve("x.parquet"),
                        schema,
                        100,
                        (g, i) -> g.add("word", word + i % 5));
        Manifest manifest = plan(file);
        long taken = taken(manifest, "word");
        assertThat(manifest.decodedBytes(0, List.of())).isBetween(taken, 4 * taken);
    }

    private static long taken(Manifest manifest, String column) throws IOException {
        try (BufferAllocator allocator = Allocators.root(1 << 28);
                VectorSchemaRoot root =
                        new RowGroupReader(manifest, List.of(column)).read(0, allocator)) {
            return root.getVector(0).getBufferSize();
        }
    }

    private static Manifest plan(Path file) throws IOException {
        return ManifestPlanner.plan(List.of(file.toString()), Progress.NONE);
    }
}
