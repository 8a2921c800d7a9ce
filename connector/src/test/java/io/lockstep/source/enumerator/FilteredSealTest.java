package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import io.lockstep.expression.Expression;
import io.lockstep.filter.KeptRows;
import io.lockstep.filter.KeptRowsStore;
import io.lockstep.filter.RowSelection;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.feedback.StreamInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The counts of kept rows are sealed beside the manifest, and used from there. */
class FilteredSealTest {

    @TempDir private Path directory;

    private TestRun run;

    @BeforeEach
    void prepare() throws IOException {
        run = TestRun.in(directory, 2);
    }

    private StreamInfo seal(String filter) throws IOException {
        return new StreamSealer(run.directory(), Progress.NONE)
                .seal(List.of(stream(filter)), Map.of())
                .get(0);
    }

    private StreamSpec stream(String filter) {
        StreamSpec all = run.stream();
        return new StreamSpec(
                all.name(),
                all.data(),
                all.columns(),
                all.order(),
                all.epochs(),
                SchemaRules.STRICT,
                List.of(),
                selection(filter),
                null);
    }

    private static RowSelection selection(String filter) {
        return new RowSelection(Expression.parse(filter), null);
    }

    private KeptRows sealed(String filter) throws IOException {
        String digest = run.directory().readStream("train").orElseThrow().manifest();
        Manifest manifest = new ManifestStore(run.directory().manifests()).load(digest);
        return new KeptRowsStore(run.directory().manifests()).require(manifest, selection(filter));
    }

    private Path countsFile() throws IOException {
        try (var files = Files.list(directory.resolve("run/manifests"))) {
            return files.filter(file -> file.toString().endsWith(".rows.json"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void anEpochHasTheKeptRows() throws IOException {
        StreamInfo info = seal("id >= 30");
        assertThat(info.table().of(0).rows()).isEqualTo(30);
        assertThat(info.table().of(0).steps()).isEqualTo(2);
        assertThat(sealed("id >= 30").counts()).containsExactly(30);
        assertThat(run.directory().readStream("train").orElseThrow().rows())
                .containsExactly("filter id >= 30");
    }

    @Test
    void sealedCountsAreUsedThoughTheFilesAreGone() throws IOException {
        StreamInfo info = seal("id >= 30");
        Files.delete(directory.resolve("data/part-0.parquet"));
        assertThat(seal("id >= 30")).isEqualTo(info);
    }

    @Test
    void damagedCountsAreMadeAgain() throws IOException {
        StreamInfo info = seal("id >= 30");
        for (String damage : List.of("", "{}", "[1", "{\"rows\": [61]}")) {
            Files.writeString(countsFile(), damage);
            assertThatThrownBy(() -> sealed("id >= 30"))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageStartingWith("the counts of kept rows ");
            assertThat(seal("id >= 30")).isEqualTo(info);
            assertThat(sealed("id >= 30").total()).isEqualTo(30);
        }
    }

    @Test
    void anotherFilterIsRefused() throws IOException {
        seal("id >= 30");
        assertThatThrownBy(() -> seal("id >= 31"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(
                        "another filter or split ([filter id >= 30], now [filter id >= 31])");
        assertThatThrownBy(
                        () ->
                                new StreamSealer(run.directory(), Progress.NONE)
                                        .seal(List.of(run.stream()), Map.of()))
                .hasMessageContaining("another filter or split ([filter id >= 30], now [])");
    }

    @Test
    void aFilterThatKeepsTooFewNamesTheStream() {
        assertThatThrownBy(() -> seal("id > 100"))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "the stream 'train': the filter keeps none of the dataset's 60 rows: choose another"
                                + " one");
        assertThatThrownBy(() -> seal("ID > 1"))
                .hasMessageStartingWith("the stream 'train': the filter `ID > 1`, character 1: ");
        assertThat(directory.resolve("run/streams")).doesNotExist();
    }
}
