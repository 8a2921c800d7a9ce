package io.lockstep.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.testing.TestParquet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests sealing and loading of manifests. */
class ManifestStoreTest {

    private static final String SCHEMA =
            "message m { required int64 id; optional binary text (STRING); required group pair {"
                    + " required int32 x; } }";

    @TempDir private Path directory;
    private Path data;
    private Path sealed;
    private ManifestStore store;

    @BeforeEach
    void write() throws IOException {
        data = directory.resolve("data");
        sealed = directory.resolve("run/manifests");
        store = new ManifestStore(new org.apache.flink.core.fs.Path(sealed.toString()));
        for (String name : List.of("a", "b")) {
            TestParquet.write(
                    data.resolve(name + ".parquet"),
                    SCHEMA,
                    150,
                    (g, i) ->
                            g.append("id", 1L)
                                    .append("text", "row " + i)
                                    .addGroup("pair")
                                    .add("x", i));
        }
    }

    @Test
    void givesBackWhatItKeeps() throws IOException {
        Manifest manifest = plan();
        String digest = store.seal(manifest);
        assertThat(digest).isEqualTo(manifest.digest());
        Manifest loaded = store.load(digest);
        assertThat(loaded.digest()).isEqualTo(digest);
        assertThat(loaded.root()).isEqualTo(manifest.root());
        assertThat(loaded.shards()).isEqualTo(manifest.shards());
        assertThat(loaded.rowGroups()).isEqualTo(manifest.rowGroups());
        assertThat(loaded.columns()).isEqualTo(manifest.columns());
        assertThat(loaded.unreadable()).isEqualTo(manifest.unreadable());
        for (int i = 0; i < manifest.rowGroups().size(); i++) {
            assertThat(loaded.decodedBytes(i, List.of("text")))
                    .isEqualTo(manifest.decodedBytes(i, List.of("text")));
        }
    }

    @Test
    void writesOnceAndLeavesNothingAside() throws IOException {
        Manifest manifest = plan();
        store.seal(manifest);
        Path file = sealed.resolve(manifest.digest() + ".json.gz");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
        store.seal(plan());
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.fromMillis(1_000));
        try (Stream<Path> files = Files.list(sealed)) {
            assertThat(files.filter(f -> !f.getFileName().toString().endsWith(".crc")))
                    .containsExactly(file);
        }
    }

    @Test
    void replacesTheSameContentAtAnotherTime() throws IOException {
        store.seal(plan());
        Files.setLastModifiedTime(data.resolve("a.parquet"), FileTime.fromMillis(5_000));
        Manifest again = plan();
        store.seal(again);
        assertThat(store.load(again.digest()).shards().get(0).modificationTime()).isEqualTo(5_000);
    }

    @Test
    void refusesAManifestThatIsNotThere() {
        assertThatThrownBy(() -> store.load("0123"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no such file")
                .hasMessageContaining("0123.json.gz");
    }

    @Test
    void refusesAManifestThatWasChanged() throws IOException {
        Manifest manifest = plan();
        store.seal(manifest);
        Path file = sealed.resolve(manifest.digest() + ".json.gz");
        String text = new String(new GZIPInputStream(Files.newInputStream(file)).readAllBytes());
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(changed)) {
            out.write(text.replace("[100,", "[101,").getBytes());
        }
        Files.write(file, changed.toByteArray());
        assertThatThrownBy(() -> store.load(manifest.digest()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("it was changed, its digest is");
        Files.writeString(file, "no gzip");
        assertThatThrownBy(() -> store.load(manifest.digest()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("cannot be read");
    }

    private Manifest plan() throws IOException {
        return ManifestPlanner.plan(List.of(data.toString()), Progress.NONE);
    }
}
