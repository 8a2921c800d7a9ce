package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.TypeNames;
import io.lockstep.testing.TestPython;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that differ between the files of a dataset, under each of the rules. */
class VaryingColumnsTest {

    private static final SchemaRules FILL = new SchemaRules(true, false, Map.of());
    private static final SchemaRules WIDEN = new SchemaRules(false, true, Map.of());
    private static final SchemaRules BOTH = new SchemaRules(true, true, Map.of());

    @TempDir private Path directory;

    @Test
    void aColumnThatAFileLacksIsNullThere() throws Exception {
        write("a", "{'x': [1, 2]}");
        write(
                "b",
                "{'new': [3], 'x': [4], 's': ['t'], 'l': [[1, 2]], 'f': pa.array([[5, 6]],"
                        + " pa.list_(pa.int32(), 2)), 'd': pa.array([1], pa.decimal128(9, 2))}");

        assertThat(rows(FILL, "new")).containsExactly("null", "null", "3");
        assertThat(rows(FILL, "s", "x")).containsExactly("null 1", "null 2", "t 4");
        assertThat(rows(FILL, "l")).containsExactly("null", "null", "[1,2]");
        assertThat(rows(FILL, "f")).containsExactly("null", "null", "[5,6]");
        assertThat(rows(FILL)).hasSize(3);
        refused(SchemaRules.STRICT, "new")
                .hasMessageContaining("\"new\" is int64 in file:" + directory + "/b.parquet and")
                .hasMessageContaining("missing in file:" + directory + "/a.parquet; choose columns")
                .hasMessageContaining("by --missing null or schema: {missing: null} of the stream");
        refused(WIDEN, "new").hasMessageContaining("missing in");
    }

    @Test
    void aColumnOfDifferentTypesIsReadAsTheWidest() throws Exception {
        write(
                "a",
                "{'i': pa.array([1, None], pa.int32()), 'f': pa.array([0.5, None], pa.float32()),"
                        + " 't': pa.array([7, None], pa.timestamp('s')),"
                        + " 'u': pa.array([2**32 - 1, 0], pa.uint32())}");
        write(
                "b",
                "{'i': [2**40], 'f': [0.1], 't': pa.array([7_000_000], pa.timestamp('us')), 'u': [-1]}");

        assertThat(rows(WIDEN, "i")).containsExactly("1", "null", "1099511627776");
        assertThat(rows(WIDEN, "f")).containsExactly("0.5", "null", "0.1");
        assertThat(rows(WIDEN, "u")).containsExactly("4294967295", "0", "-1");
        assertThat(rows(WIDEN, "t")).hasSize(3).element(0).isEqualTo(rows(WIDEN, "t").get(2));
        assertThat(content(WIDEN).schema().getFields())
                .extracting(TypeNames::of)
                .containsExactly("int64", "float64", "timestamp[us]", "int64");
        refused(FILL, "i")
                .hasMessageContaining("\"i\" is int32 in")
                .hasMessageContaining("by --widen or schema: {widen: true} of the stream");
    }

    @Test
    void listsWidenByTheirElements() throws Exception {
        write(
                "a",
                "{'l': pa.array([[1, None], None, [], [2]], pa.list_(pa.int32())),"
                        + " 'f': pa.array([[1, 2], None, [3, None], [5, 6]],"
                        + " pa.list_(pa.float32(), 2)),"
                        + " 's': pa.array([[1, 2]] * 4, pa.list_(pa.int32(), 2))}");
        write(
                "b",
                "{'l': [[2**40]], 'f': pa.array([[0.1, 0.2]], pa.list_(pa.float64(), 2)),"
                        + " 's': pa.array([[1, 2, 3]], pa.list_(pa.int32(), 3))}");

        assertThat(rows(WIDEN, "l"))
                .containsExactly("[1,null]", "null", "[]", "[2]", "[1099511627776]");
        assertThat(rows(WIDEN, "f"))
                .containsExactly("[1.0,2.0]", "null", "[3.0,null]", "[5.0,6.0]", "[0.1,0.2]");
        refused(WIDEN, "s").hasMessageContaining("write the files with the same columns");
        refused(FILL, "l")
                .hasMessageContaining("by --widen or schema: {widen: true} of the stream");
    }

    @Test
    void bothAtATime() throws Exception {
        write("a", "{'x': pa.array([1], pa.int32())}");
        write("b", "{'y': [2]}");
        write("c", "{'x': [3], 'y': [4]}");

        assertThat(rows(BOTH, "x", "y")).containsExactly("1 null", "null 2", "3 4");
        refused(FILL, "x").hasMessageContaining("widen");
        refused(WIDEN, "x").hasMessageContaining("missing");
    }

    @Test
    void typesThatDoNotGoTogetherAreRefused() throws Exception {
        write("a", "{'i': [1], 's': [1], 't': pa.array([1], pa.timestamp('s', 'UTC'))}");
        write("b", "{'i': [1.5], 's': ['1'], 't': pa.array([1], pa.timestamp('us'))}");

        for (String column : List.of("i", "s", "t")) {
            refused(BOTH, column)
                    .hasMessageContaining("stream, or write the files with the same columns");
        }
    }

    @Test
    void aNameOfTwoColumnsOfAFileSpoilsOnlyItself() throws Exception {
        write("a", "[[1], [2], [3], [4]], ['x', 'y', 'x', 'z']");

        assertThat(rows(SchemaRules.STRICT, "y", "z")).containsExactly("2 4");
        refused(BOTH, "x")
                .hasMessage(
                        "The column \"x\" of file:%s/a.parquet is in the file twice, which Lockstep"
                                + " does not read; choose columns without it, by --columns or 'columns' of the stream.",
                        directory);
    }

    @Test
    void aTimestampThatTheFinerUnitCannotHoldIsRefused() throws Exception {
        write("a", "{'t': pa.array([2**61], pa.timestamp('ms'))}");
        write("b", "{'t': pa.array([7], pa.timestamp('us'))}");

        assertThatThrownBy(() -> rows(WIDEN, "t"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("\"t\" of row group 0 in file:" + directory + "/a.parquet")
                .hasMessageContaining("is too far for its type");
    }

    @Test
    void rulesAreInTheDigestWhereTheyChangeContent() throws Exception {
        write("a", "{'x': pa.array([1], pa.int32()), 'z': [1]}");
        String alone = content(SchemaRules.STRICT, "x").digest();
        write("b", "{'x': [3], 'z': [2]}");

        assertThat(content(WIDEN, "x").digest()).isNotEqualTo(alone);
        assertThat(content(WIDEN, "x").key(0)).isNotEqualTo(content(BOTH, "z").key(0));
        assertThat(content(BOTH, "z").digest())
                .isEqualTo(content(SchemaRules.STRICT, "z").digest());
    }

    @Test
    void aSealedManifestKeepsThem() throws Exception {
        write("a", "{'x': pa.array([1], pa.int32())}");
        write("b", "{'y': [2], 'x': [3]}");
        Manifest planned = plan();
        ManifestStore store =
                new ManifestStore(
                        new org.apache.flink.core.fs.Path(directory.resolve("sealed").toString()));
        store.seal(planned);
        Manifest sealed = store.load(planned.digest());

        for (SchemaRules rules : List.of(SchemaRules.STRICT, FILL, WIDEN, BOTH)) {
            assertThat(sealed.columns(rules)).isEqualTo(planned.columns(rules));
            assertThat(sealed.unreadable(rules)).isEqualTo(planned.unreadable(rules));
        }
        assertThat(sealed.decodedBytes(0, List.of("x", "y")))
                .isEqualTo(planned.decodedBytes(0, List.of("x", "y")));
    }

    private void write(String name, String columns) throws IOException, InterruptedException {
        TestPython.run(
                "import sys, pyarrow as pa, pyarrow.parquet as pq\n"
                        + "pq.write_table(pa.table("
                        + columns
                        + "), sys.argv[1])",
                directory.resolve(name + ".parquet").toString());
    }

    private Manifest plan() throws IOException {
        List<String> files = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            Path file = directory.resolve(name + ".parquet");
            if (Files.exists(file)) {
                files.add(file.toString());
            }
        }
        return ManifestPlanner.plan(files, Progress.NONE);
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
