package io.lockstep.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.testing.TestParquet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests planning of valid and invalid datasets. */
class ManifestPlannerTest {

    private static final String TWO = "message m { required int64 id; optional float weight; }";

    @TempDir private Path directory;

    @Test
    void listsRowGroupsInCanonicalOrder() throws IOException {
        TestParquet.write(directory.resolve("b.parquet"), 250);
        TestParquet.write(directory.resolve("a.parquet"), 100);
        TestParquet.write(directory.resolve("c/none.parquet"), 0);
        Manifest manifest = plan();
        assertThat(manifest.shards())
                .extracting(Shard::path)
                .containsExactly("a.parquet", "b.parquet", "c/none.parquet");
        assertThat(manifest.rowGroups())
                .extracting(RowGroup::shard, RowGroup::ordinal, RowGroup::rows)
                .containsExactly(
                        tuple(0, 0, 100L), tuple(1, 0, 100L), tuple(1, 1, 100L), tuple(1, 2, 50L));
        assertThat(manifest.rows()).isEqualTo(350);
        assertThat(manifest.rowGroupRows()).containsExactly(100, 100, 100, 50);
    }

    @Test
    void tellsHowFarItIs() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), 1);
        TestParquet.write(directory.resolve("b.parquet"), 1);
        List<String> heard = new ArrayList<>();
        ManifestPlanner.plan(
                List.of(directory.toString()), (done, total) -> heard.add(done + "/" + total));
        assertThat(heard).containsExactly("1/2", "2/2");
    }

    @Test
    void keepsItsDigestWhereverTheFilesLie() throws IOException {
        TestParquet.write(directory.resolve("one/x/a.parquet"), 10);
        Files.createDirectories(directory.resolve("other/x"));
        Files.copy(directory.resolve("one/x/a.parquet"), directory.resolve("other/x/a.parquet"));
        String one = plan(directory.resolve("one")).digest();
        assertThat(plan(directory.resolve("other")).digest()).isEqualTo(one);
        assertThat(plan(directory.resolve("other/x")).digest()).isNotEqualTo(one);
    }

    @Test
    void takesAColumnAsNullableWhereItIsInOneFile() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), 1);
        String optional = "message m { optional int64 id; }";
        TestParquet.write(directory.resolve("b.parquet"), optional, 1, (g, i) -> g.add("id", 1L));
        assertThat(plan().columns()).singleElement().matches(f -> f.isNullable());
    }

    @Test
    void takesColumnsOfOneFileInAnotherOrder() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), TWO, 1, (g, i) -> g.append("id", 1L));
        String swapped = "message m { optional float weight; required int64 id; }";
        TestParquet.write(directory.resolve("b.parquet"), swapped, 1, (g, i) -> g.add("id", 2L));
        assertThat(plan().columns()).extracting(f -> f.getName()).containsExactly("id", "weight");
    }

    @Test
    void aColumnOfDifferentTypesSpoilsOnlyItself() throws IOException {
        Path a = TestParquet.write(directory.resolve("a.parquet"), 1);
        String other = "message m { required binary id (STRING); }";
        Path b =
                TestParquet.write(
                        directory.resolve("b.parquet"), other, 1, (g, i) -> g.add("id", ""));
        assertThat(plan().columns()).isEmpty();
        assertThat(plan().unreadable())
                .containsExactly(
                        new UnreadableColumn(
                                "id",
                                "int64",
                                "is int64 in " + uri(a) + " and string in " + uri(b),
                                null));
        for (List<String> columns : List.of(List.<String>of(), List.of("id"))) {
            assertThatThrownBy(() -> plan().select(columns))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(
                            "The column \"id\" is int64 in " + uri(a) + " and string in " + uri(b));
        }
    }

    @Test
    void aColumnThatAFileLacksSpoilsOnlyItself() throws IOException {
        Path a = TestParquet.write(directory.resolve("a.parquet"), 1);
        Path b =
                TestParquet.write(
                        directory.resolve("b.parquet"), TWO, 1, (g, i) -> g.add("id", 1L));
        assertThat(plan().select(List.of("id")).getFields()).hasSize(1);
        assertThatThrownBy(() -> plan().select(List.of()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(
                        "The column \"weight\" is float32 in "
                                + uri(b)
                                + " and missing in "
                                + uri(a)
                                + "; choose columns without it, by --columns or 'columns' of the stream, read it by --missing null or schema: {missing: null} of");
        Files.delete(a);
        TestParquet.write(directory.resolve("c.parquet"), 1);
        assertThat(plan().unreadable())
                .extracting(UnreadableColumn::reason)
                .containsExactly(
                        "is float32 in "
                                + uri(b)
                                + " and missing in "
                                + uri(directory.resolve("c.parquet")));
    }

    @Test
    void refusesFilesWithoutRows() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), 0);
        refused(directory).hasMessageContaining("has a row");
    }

    @Test
    void countsFilesWithoutBytes() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), 1);
        Path first = Files.createFile(directory.resolve("b.parquet"));
        Files.createFile(directory.resolve("c.parquet"));
        Files.createFile(directory.resolve("d.parquet"));
        refused(directory)
                .hasMessage(
                        uri(first)
                                + " and 2 other files of the dataset are empty (0 bytes); remove"
                                + " them or write them again.");
    }

    @Test
    void refusesATextFile() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), 1);
        Path text = Files.writeString(directory.resolve("b.parquet"), "id,weight\n1,2\n3,4\n");
        refused(directory).hasMessageContaining(uri(text) + " is not a Parquet file");
    }

    @Test
    void refusesAFileThatIsCutOff() throws IOException {
        Path file = TestParquet.write(directory.resolve("a.parquet"), 1000);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        refused(directory)
                .hasMessageContaining(uri(file) + " is cut off")
                .hasMessageContaining("(" + bytes.length / 2 + " bytes)");
    }

    @Test
    void refusesAFileOfNoBytes() throws IOException {
        Path file = Files.createFile(directory.resolve("a.parquet"));
        refused(directory).hasMessageContaining(uri(file) + " is empty (0 bytes)");
    }

    @Test
    void refusesAnEncryptedFile() throws IOException {
        Path file = directory.resolve("a.parquet");
        Files.writeString(file, "PARE some bytes PARE");
        refused(directory).hasMessageContaining(uri(file) + " is encrypted");
    }

    @Test
    void refusesAFooterThatIsLongerThanItsFile() throws IOException {
        Path file = directory.resolve("a.parquet");
        Files.write(
                file, "PAR1....\u007f\u007f\u007f\u007fPAR1".getBytes(StandardCharsets.US_ASCII));
        refused(directory).hasMessageContaining(uri(file) + " is damaged: its footer would have");
    }

    @Test
    void namesTheFirstOfSeveralBadFiles() throws IOException {
        for (String name : List.of("c", "b", "a", "d")) {
            Files.writeString(directory.resolve(name + ".parquet"), "text " + name);
        }
        refused(directory).hasMessageContaining(uri(directory.resolve("a.parquet")));
    }

    @Test
    void suggestsTheNearestColumn() throws IOException {
        TestParquet.write(directory.resolve("a.parquet"), TWO, 1, (g, i) -> g.add("id", 1L));
        Manifest manifest = plan();
        assertThat(manifest.select(List.of("weight", "id")).getFields())
                .extracting(f -> f.getName())
                .containsExactly("weight", "id");
        assertThatThrownBy(() -> manifest.select(List.of("id", "wieght")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("There is no column \"wieght\"")
                .hasMessageContaining("Did you mean \"weight\"?");
        assertThatThrownBy(() -> manifest.select(List.of("id", "id")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("\"id\" is asked for twice");
    }

    @Test
    void selectsColumnsByNamePatternAndPath() throws IOException {
        TestParquet.write(
                directory.resolve("a.parquet"),
                "message m { required int64 id; required int64 f_1; required int64 a.b;"
                        + " required int64 f_2; required group image { required int32 bytes; } }",
                1,
                (g, i) -> {
                    for (String name : List.of("id", "f_1", "a.b", "f_2")) {
                        g.add(name, 1L);
                    }
                    g.addGroup("image").add("bytes", 1);
                });
        assertThat(selected("f_*")).containsExactly("f_1", "f_2");
        assertThat(selected("f_2", "f_*", "id")).containsExactly("f_2", "f_1", "id");
        assertThat(selected("a.b")).containsExactly("a.b");
        assertThat(selected("a\\.b")).containsExactly("a.b");
        assertThat(selected("a*", "f_1")).containsExactly("a.b", "f_1");
        assertThatThrownBy(() -> selected("f\\*"))
                .isInstanceOf(NoSuchColumnException.class)
                .hasMessageContaining("There is no column \"f\\*\"");
        assertThatThrownBy(() -> selected("g_*"))
                .isInstanceOf(NoSuchColumnException.class)
                .hasMessageContaining("There is no column that matches \"g_*\"");
        assertThatThrownBy(() -> selected("id.bytes")).isInstanceOf(NoSuchColumnException.class);
        assertThatThrownBy(() -> selected("a.b", "a\\.b"))
                .hasMessageContaining("\"a.b\" is asked for twice");
        assertThatThrownBy(() -> selected("image.bytes"))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "The column \"image.bytes\" lies in \"image\", which is a struct, and"
                                + " Lockstep reads only top-level columns; write it as one.");
        assertThatThrownBy(() -> selected("*")).hasMessageContaining("\"image\" of");
    }

    private List<String> selected(String... columns) throws IOException {
        return plan().select(List.of(columns)).getFields().stream().map(f -> f.getName()).toList();
    }

    @Test
    void leavesColumnsOutThatItDoesNotRead() throws IOException {
        String nested =
                "message m { required int64 id; required group pair { required int32 x; } }";
        Path file =
                TestParquet.write(
                        directory.resolve("a.parquet"),
                        nested,
                        1,
                        (g, i) -> g.append("id", 1L).addGroup("pair").add("x", 1));
        Manifest manifest = plan();
        assertThat(manifest.select(List.of("id")).getFields()).hasSize(1);
        assertThatThrownBy(() -> manifest.select(List.of()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("The column \"pair\" of " + uri(file) + " is a struct");
    }

    private AbstractThrowableAssert<?, ?> refused(Path data) {
        return assertThatThrownBy(() -> plan(data)).isInstanceOf(UserException.class);
    }

    private Manifest plan() throws IOException {
        return plan(directory);
    }

    private static Manifest plan(Path data) throws IOException {
        return ManifestPlanner.plan(List.of(data.toString()), Progress.NONE);
    }

    private static String uri(Path file) {
        return "file:" + file;
    }

    private static org.assertj.core.groups.Tuple tuple(Object... values) {
        return org.assertj.core.api.Assertions.tuple(values);
    }
}
