package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plan --seal}. */
class SealTest {

    @TempDir Path directory;

    private Path data;
    private Path run;

    @BeforeEach
    void write() throws Exception {
        data = TestData.numbers(directory.resolve("data"));
        run = directory.resolve("runs/one");
    }

    @Test
    void sealsEveryStreamOfARunFile() throws Exception {
        Cli.Result result = Cli.run("plan", runFile("run: {directory: runs/one}"), "--seal");

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.err()).contains("run directory: " + run);
        assertThat(run.resolve("streams/train.json")).exists();
        assertThat(run.resolve("streams/eval.json")).exists();
        assertThat(run.resolve("run.yaml")).exists();
    }

    @Test
    void showsWhatIsSealedWhateverHasBecomeOfTheData() throws Exception {
        String sealed = seal().out();
        Files.copy(data.resolve("c.parquet"), data.resolve("d.parquet"));

        assertThat(seal().out()).isEqualTo(sealed).contains("rows         140\n");
        assertThat(Cli.run("plan", data.toString(), "--batch", "12").out())
                .contains("rows         180\n");
    }

    @Test
    void refusesTheDirectoryOfAnotherRun() {
        assertThat(seal().status()).isZero();

        Cli.Result other = seal("--seed", "1");

        assertThat(other.status()).isEqualTo(1);
        assertThat(other.err()).contains("its streams.train.order.seed is 0, and now it is 1");
    }

    @Test
    void aJobThatFlinkStartsIsRefusedTheDirectoryOfAnotherRunToo() throws Exception {
        String file = runFile("run: {directory: runs/one}");
        assertThat(Cli.run("plan", file, "--seal").status()).isZero();
        Files.writeString(Path.of(file), Files.readString(Path.of(file)).replace("[x]", "[id]"));

        assertThatThrownBy(() -> JobMain.main(new String[] {file}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("its streams.eval.columns is [x], and now it is [id]");
    }

    @Test
    void leavesNothingOfARefusal() throws Exception {
        Files.createDirectory(directory.resolve("there"));

        assertThat(seal("--columns", "none").status()).isEqualTo(2);
        assertThat(
                        Cli.run(
                                        "plan",
                                        runFile("run: {directory: there}"),
                                        "--seal",
                                        "--stream",
                                        "none")
                                .status())
                .isEqualTo(2);

        assertThat(directory.resolve("runs")).doesNotExist();
        assertThat(directory.resolve("there")).isEmptyDirectory();
    }

    @Test
    void needsADirectoryAndADirectoryNeedsIt() throws Exception {
        String target = data.toString();
        assertWrongUse(
                "--seal needs the directory of the run", "plan", target, "--batch", "12", "--seal");
        assertWrongUse("--run names where to seal", "plan", target, "--batch", "12", "--run", "x");
    }

    private Cli.Result seal(String... more) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "plan",
                                data.toString(),
                                "--batch",
                                "12",
                                "--seal",
                                "--run",
                                run.toString()));
        words.addAll(List.of(more));
        return Cli.run(words.toArray(String[]::new));
    }

    private String runFile(String more) throws Exception {
        Path file = directory.resolve("my-run.yaml");
        Files.writeString(
                file,
                """
                streams:
                  train: {data: data, order: {batch: 12}}
                  eval: {data: data/a, columns: [x], order: {batch: 12, tail: pad}}
                """
                        + more);
        return file.toString();
    }

    private static void assertWrongUse(String message, String... args) {
        Cli.Result result = Cli.run(args);
        assertThat(result.err()).contains(message);
        assertThat(result.status()).isEqualTo(2);
    }
}
