package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.manifest.PartitionType;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.TypeNames;
import io.lockstep.testing.TestPython;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns from the names of folders. */
class PartitionColumnsTest {

    @TempDir private Path directory;

    @Test
    void theirTypeFollowsFromTheirValues() throws Exception {
        write("year=2020/month=07/day=1/a", "{'x': [1]}");
        write("year=2021/month=12/day=__HIVE_DEFAULT_PARTITION__/b", "{'x': [2]}");

        assertThat(content(SchemaRules.STRICT).schema().getFields())
                .extracting(f -> f.getName() + " " + TypeNames.of(f) + " " + f.isNullable())
                .containsExactly(
                        "x int64 true", "year int64 false", "month string false", "day int64 true");
        assertThat(rows(SchemaRules.STRICT)).containsExactly("1 2020 07 1", "2 2021 12 null");
        assertThat(rows(SchemaRules.STRICT, "month", "x")).containsExactly("07 1", "12 2");
        assertThat(rows(SchemaRules.STRICT, "year")).containsExactly("2020", "2021");
    }

    @Test
    void theRulesGiveThemAType() throws Exception {
        write("d=2020-01-02/f=0.5/b=true/i=007/a", "{'x': [1]}");
        SchemaRules typed =
                typed(
                        Map.of(
                                "d", PartitionType.DATE32,
                                "f", PartitionType.FLOAT32,
                                "b", PartitionType.BOOL,
                                "i", PartitionType.INT32));

        assertThat(rows(typed, "d", "f", "b", "i")).containsExactly("18263 0.5 true 7");
        assertThat(rows(SchemaRules.STRICT, "d", "f", "b", "i"))
                .containsExactly("2020-01-02 0.5 true 007");
        refused(typed(Map.of("d", PartitionType.INT64)))
                .hasMessageContaining("The folder d=2020-01-02 of file:")
                .hasMessageContaining("no value of the type int64");
        refused(typed(Map.of("x", PartitionType.INT64)))
                .hasMessageContaining("no folder of the data is named x=");
    }

    @Test
    void escapedNamesAreDecoded() throws Exception {
        write("na%3Dme=a%2Fb%20%C3%BC%/a", "{'x': [1]}");

        assertThat(content(SchemaRules.STRICT).schema().getFields())
                .extracting(f -> f.getName())
                .containsExactly("x", "na=me");
        assertThat(rows(SchemaRules.STRICT, "na=me")).containsExactly("a/b ü%");
    }

    @Test
    void aColumnOfTheFilesWins() throws Exception {
        write("x=7/a", "{'x': [1]}");

        assertThat(rows(SchemaRules.STRICT)).containsExactly("1");
    }

    @Test
    void aFileOutsideOfTheFoldersHasNone() throws Exception {
        write("year=2020/a", "{'x': [1]}");
        write("b", "{'x': [2]}");

        refused(SchemaRules.STRICT)
                .hasMessageContaining("\"year\" is in the folder names of file:")
                .hasMessageContaining("and missing in those of file:")
                .hasMessageContaining("by --missing null or schema: {missing: null}");
        assertThat(rows(SchemaRules.STRICT, "x")).containsExactly("2", "1");
        assertThat(rows(new SchemaRules(true, false, Map.of())))
                .containsExactly("2 null", "1 2020");
    }

    @Test
    void valuesAndTypesIdentifyTheContent() throws Exception {
        write("year=2020/a", "{'x': [1]}");
        Content text = content(typed(Map.of("year", PartitionType.STRING)));
        Content number = content(SchemaRules.STRICT);

        assertThat(number.digest()).isNotEqualTo(text.digest());
        assertThat(number.key(0).toString()).contains("partition year=2020");
        assertThat(content(SchemaRules.STRICT, "x").key(0).toString()).doesNotContain("partition");
    }

    @Test
    void aManifestOfAnEarlierReleaseHasNone() throws Exception {
        write("year=2020/a", "{'x': [1]}");
        Manifest planned = plan();
        Path sealed = directory.resolve("sealed");
        ManifestStore store =
                new ManifestStore(new org.apache.flink.core.fs.Path(sealed.toString()));
        store.seal(planned);
        assertThat(store.load(planned.digest()).columns()).isEqualTo(planned.columns());

        Path file;
        try (Stream<Path> files = Files.list(sealed)) {
            file = files.findFirst().orElseThrow();
        }
        String json;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(json).contains("\"partitions\":[\"year\"],");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(
                    json.replace("\"partitions\":[\"year\"],", "")
                            .getBytes(StandardCharsets.UTF_8));
        }
        assertThat(store.load(planned.digest()).columns())
                .extracting(f -> f.getName())
                .containsExactly("x");
    }

    private static SchemaRules typed(Map<String, PartitionType> types) {
        return new SchemaRules(false, false, types);
    }

    private void write(String name, String columns) throws IOException, InterruptedException {
        Path file = directory.resolve("data/" + name + ".parquet");
        Files.createDirectories(file.getParent());
        TestPython.run(
                "import sys, pyarrow as pa, pyarrow.parquet as pq\n"
                        + "t = pa.table("
                        + columns
                        + ")\n"
                        + "with open(sys.argv[1], 'wb') as out: pq.write_table(t, out)",
                file.toString());
    }

    private Manifest plan() throws IOException {
        return ManifestPlanner.plan(List.of(directory.resolve("data").toString()), Progress.NONE);
    }

    private Content content(SchemaRules rules, String... columns) throws IOException {
        return new Content(Dataset.only(plan()), List.of(columns), rules, TransformChain.empty());
    }

    private AbstractThrowableAssert<?, ?> refused(SchemaRules rules, String... columns) {
        return assertThatThrownBy(() -> content(rules, columns)).isInstanceOf(UserException.class);
    }

    private List<String> rows(SchemaRules rules, String... columns) throws IOException {
        return ContentRows.of(content(rules, columns));
    }
}
