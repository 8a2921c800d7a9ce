package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.testing.TestPython;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and values that are terminal escapes, SQL or HTML. */
@Timeout(60)
class NamesTest {

    private static final String DATASETS =
            """
            import os, sys, pyarrow as pa, pyarrow.parquet as pq
            os.chdir(sys.argv[1])
            for name in ("names", "differ", "file"):
                os.mkdir(name)
            names = ["'; DROP TABLE x; --", "<script>", "\\x1b[31mred", "a\\nb", "\\u202ertl", "c"]
            table = pa.table({name: ["\\x1b]0;title\\x07"] * 64 for name in names})
            pq.write_table(table, "names/a.parquet")
            pq.write_table(table, "differ/a.parquet")
            pq.write_table(table.set_column(2, "\\x1b[31mred", [[1] * 64]), "differ/b.parquet")
            pq.write_table(table, "file/\\x1b[31m.parquet")
            open("file/\\x1b[32m.parquet", "w").close()
            """;

    @TempDir static Path directory;

    @BeforeAll
    static void writeDatasets() throws Exception {
        TestPython.run(DATASETS, directory.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan names --batch 4",
                "plan names --batch 4 --json",
                "plan differ --batch 4",
                "plan file --batch 4",
                "plan names --batch 4 --columns \u001b[31mno",
                "plan \u001b[31mnowhere --batch 4",
                "run \u001b[31m.yaml",
                "show names --batch 4 --format table",
                "show names --batch 4 --format json",
                "order names --batch \u001b[31m4",
                "runs ls \u001b[31m",
                "\u001b[31mverb"
            })
    void noControlCharacterIsPrinted(String line) {
        Cli.Result result = run(line);

        assertThat(result.out() + result.err())
                .isNotEmpty()
                .doesNotContainPattern("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]");
    }

    @Test
    void aNameIsShownWithItsControlCharactersEscaped() {
        assertThat(run("plan names --batch 4").lines())
                .extracting(String::strip)
                .anyMatch(line -> line.startsWith("'; DROP TABLE x; --  "))
                .anyMatch(line -> line.startsWith("<script>  "))
                .anyMatch(line -> line.startsWith("\\u001b[31mred  "))
                .anyMatch(line -> line.startsWith("a\\nb  "))
                .anyMatch(line -> line.startsWith("\\u202ertl  "));
        assertThat(run("plan file --batch 4").err()).contains("/file/\\u001b[32m.parquet is empty");
    }

    private static Cli.Result run(String line) {
        List<String> words =
                List.of(line.split(" ")).stream()
                        .map(
                                word ->
                                        List.of("names", "differ", "file").contains(word)
                                                ? directory.resolve(word).toString()
                                                : word)
                        .toList();
        return Cli.run(words.toArray(String[]::new));
    }
}
