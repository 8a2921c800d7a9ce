package io.lockstep.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.Progress;
import io.lockstep.testing.TestParquet;
import io.lockstep.testing.Warnings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.parquet.example.data.Group;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files written by parquet-java, and rejects files that changed since they were planned. */
class RowGroupReaderTest {

    @TempDir private Path directory;
    private final BufferAllocator allocator = Allocators.root(1 << 30);

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    @Test
    void readsChosenColumnsInTheOrderAsked() throws IOException {
        String schema = "message m { required int64 a; optional int32 b; required double c; }";
        TestParquet.write(
                directory.resolve("x.parquet"),
                schema,
                250,
                (g, i) -> g.append("a", (long) i).append("c", i * 0.5));
        RowGroupReader reader = new RowGroupReader(plan(), List.of("c", "a"));
        assertThat(reader.schema().getFields())
                .extracting(f -> f.getName())
                .containsExactly("c", "a");
        try (VectorSchemaRoot root = reader.read(2, allocator)) {
            assertThat(root.getSchema()).isEqualTo(reader.schema());
            assertThat(root.getRowCount()).isEqualTo(50);
            assertThat(root.getVector("a").getObject(49)).isEqualTo(249L);
            assertThat(root.getVector("c").getObject(0)).isEqualTo(100.0);
        }
    }

    @Test
    void readsFromManyThreads() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), 1_000);
        TestParquet.write(directory.resolve("b.parquet"), 1_000);
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        long sum = IntStream.range(0, 20).parallel().mapToLong(i -> sum(reader, i)).sum();
        assertThat(sum).isEqualTo(999L * 1_000);
    }

    @Test
    void readsListsOfTwoLevels() throws IOException {
        String schema =
                "message m { optional group bare (LIST) { repeated int32 array; }"
                        + " repeated int32 loose; }";
        TestParquet.write(directory.resolve("x.parquet"), schema, 4, RowGroupReaderTest::fillLists);
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        try (VectorSchemaRoot root = reader.read(0, allocator)) {
            assertThat(root.getSchema().findField("bare").isNullable()).isTrue();
            assertThat(root.getSchema().findField("loose").isNullable()).isFalse();
            for (String column : List.of("bare", "loose")) {
                assertThat(root.getVector(column).getObject(1)).hasToString("[1]");
                assertThat(root.getVector(column).getObject(3)).hasToString("[1,2,3]");
            }
            assertThat(root.getVector("bare").isNull(0)).isTrue();
            assertThat(root.getVector("loose").getObject(0)).hasToString("[]");
        }
    }

    private static void fillLists(Group row, int number) {
        Group bare = number == 0 ? null : row.addGroup("bare");
        for (int i = 1; i <= number; i++) {
            bare.add("array", i);
            row.add("loose", i);
        }
    }

    @Test
    void refusesAFileThatBecameLonger() throws IOException {
        Path file = TestParquet.write(directory.resolve("a.parquet"), 10);
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        long planned = Files.size(file);
        replace(file, 2_000);
        assertThatThrownBy(() -> reader.read(0, allocator))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("file:" + file + " was rewritten after planning")
                .hasMessageContaining("planned with " + planned + " bytes")
                .hasMessageContaining("now there is " + Files.size(file) + " bytes");
    }

    @Test
    void refusesAFileThatWasTouched() throws IOException {
        Path file = TestParquet.write(directory.resolve("a.parquet"), 10);
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        reader.read(0, allocator).close();
        FileTime planned = Files.getLastModifiedTime(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
        assertThatThrownBy(() -> reader.read(0, allocator))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("was rewritten after planning")
                .hasMessageContaining("1970-01-01T00:16:40Z")
                .hasMessageContaining("touch -d " + Instant.ofEpochMilli(planned.toMillis()) + ")");
    }

    @Test
    void refusesAFileOfTheSameLengthAndTimeWithAnotherFooter() throws IOException {
        Path file = directory.resolve("a.parquet");
        write(file, "message m { required int64 one; }");
        FileTime time = Files.getLastModifiedTime(file);
        Manifest manifest = plan();
        long length = Files.size(file);
        Files.delete(file);
        write(file, "message m { required int64 two; }");
        Files.setLastModifiedTime(file, time);
        assertThat(Files.size(file)).isEqualTo(length);
        RowGroupReader reader = new RowGroupReader(manifest, List.of());
        String planned = manifest.shards().get(0).footerSha256().substring(0, 12);
        assertThatThrownBy(() -> reader.read(0, allocator))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("was rewritten after planning")
                .hasMessageContaining("footer " + planned);
    }

    @Test
    void refusesAFileThatIsReplacedAfterItWasRead() throws IOException {
        Path file = directory.resolve("a.parquet");
        write(file, "message m { required int64 one; }");
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        reader.read(0, allocator).close();
        Path other = directory.resolve("other/b.parquet");
        write(other, "message m { required int64 two; }");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> reader.read(0, allocator))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("file:" + file + " was rewritten after planning")
                .hasMessageContaining("footer ");
    }

    @Test
    void refusesOtherDataBehindTheSameFooter() throws IOException {
        Path file = TestParquet.write(directory.resolve("a.parquet"), 10);
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        reader.read(0, allocator).close();
        FileTime time = Files.getLastModifiedTime(file);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 4] ^= 1;
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, time);
        assertThatThrownBy(() -> reader.read(0, allocator))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("file:" + file + " was replaced after planning")
                .hasMessageContaining("but with other data");
    }

    @Test
    void readsOnInACopyAndWarnsOnce() throws IOException {
        for (String name : List.of("a.parquet", "b.parquet")) {
            TestParquet.write(directory.resolve(name), 100);
        }
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        reader.read(0, allocator).close();
        for (String name : List.of("a.parquet", "b.parquet")) {
            Path copy = directory.resolve("copy");
            Files.copy(directory.resolve(name), copy, StandardCopyOption.COPY_ATTRIBUTES);
            Files.move(copy, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        try (Warnings warnings = Warnings.of(ShardFiles.class)) {
            assertThat(sum(reader, 0) + sum(reader, 1) + sum(reader, 0)).isEqualTo(3 * 99 * 50);
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("file:" + directory.resolve("a.parquet") + " was copied, replaced");
        }
    }

    @Test
    void refusesAFileThatIsGone() throws IOException {
        Path file = TestParquet.write(directory.resolve("a.parquet"), 10);
        RowGroupReader reader = new RowGroupReader(plan(), List.of());
        Files.delete(file);
        assertThatThrownBy(() -> reader.read(0, allocator))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("file:" + file + " was there when the data was planned");
    }

    private static void replace(Path file, int rows) throws IOException {
        Files.delete(file);
        TestParquet.write(file, rows);
    }

    private static void write(Path file, String schema) throws IOException {
        TestParquet.write(file, schema, 10, (g, i) -> g.add(0, 1L));
    }

    private long sum(RowGroupReader reader, int rowGroup) {
        long sum = 0;
        try (VectorSchemaRoot root = reader.read(rowGroup, allocator)) {
            BigIntVector ids = (BigIntVector) root.getVector("id");
            for (int i = 0; i < root.getRowCount(); i++) {
                sum += ids.get(i);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return sum;
    }

    private Manifest plan() throws IOException {
        return ManifestPlanner.plan(List.of(directory.toString()), Progress.NONE);
    }
}
