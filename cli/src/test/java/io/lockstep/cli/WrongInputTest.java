package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input: one message that says what and where, an exit code, and no hang. */
@Timeout(60)
class WrongInputTest {

    private static final String DATASETS =
            """
            import os, sys, pyarrow as pa, pyarrow.parquet as pq
            os.chdir(sys.argv[1])
            for name in ("good", "empty", "bare", "differ", "text", "cut", "own"):
                os.mkdir(name)
            table = pa.table({"id": pa.array(range(64)), "label": [0.5] * 64})
            pq.write_table(table, "good/a.parquet")
            pq.write_table(table.slice(0, 0), "bare/a.parquet")
            pq.write_table(table, "differ/a.parquet")
            pq.write_table(table.set_column(1, "label", [["x"] * 64]), "differ/b.parquet")
            pq.write_table(table.rename_columns(["_sample", "label"]), "own/a.parquet")
            open("text/notes.parquet", "w").write("a shopping list, and no Parquet")
            open("cut/a.parquet", "wb").write(open("good/a.parquet", "rb").read()[:-100])
            open("file", "w").close()
            """;

    @TempDir static Path directory;

    @BeforeAll
    static void writeDatasets() throws Exception {
        TestPython.run(DATASETS, directory.toString());
    }

    static Stream<Arguments> datasets() {
        return Stream.of(
                arguments("nowhere --batch 16", 1, List.of("nothing at", "/nowhere")),
                arguments("empty --batch 16", 1, List.of("/empty holds no files")),
                arguments("bare --batch 16", 1, List.of("/bare has a row")),
                arguments("good --batch 16 --lanes 3", 2, List.of("16 is not a multiple of 3")),
                arguments("good --batch 0", 2, List.of("batch is 0: it must be at least 1")),
                arguments(
                        "good --batch many",
                        2,
                        List.of("'many' is not a whole number up to 2147483647")),
                arguments(
                        "good --batch 100000000000000000000000",
                        2,
                        List.of("is not a whole number up to 2147483647")),
                arguments("good --batch 65", 1, List.of("64 rows", "choose a batch of at most")),
                arguments(
                        "good --batch 16 --columns id,lable",
                        2,
                        List.of("no column \"lable\"", "Did you mean \"label\"?")),
                arguments(
                        "good --batch 16 --columns id,label,id",
                        2,
                        List.of("\"id\" is asked for twice; name it once")),
                arguments("go\\od --batch 16", 2, List.of("/go\\od\" has a backslash")),
                arguments(
                        "differ --batch 16",
                        1,
                        List.of(
                                "\"label\" is float64 in file:",
                                "/differ/a.parquet and string in file:",
                                "/differ/b.parquet")),
                arguments(
                        "own --batch 16",
                        1,
                        List.of("\"_sample\" has a name that Lockstep uses for itself")),
                arguments("text --batch 16", 1, List.of("/notes.parquet is not a Parquet file")),
                arguments("cut --batch 16", 1, List.of("/cut/a.parquet is cut off")));
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void planRefusesADataset(String target, int status, List<String> parts) {
        List<String> words = words(target);
        words.add(0, "plan");

        assertRefused(status, parts, words);
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void runRefusesADatasetBeforeItStarts(String target, int status, List<String> parts) {
        List<String> words = words(target);
        words.addAll(0, List.of("run", "--run", path("run"), "--data"));
        words.addAll(List.of("--", "true"));

        assertRefused(status, parts, words);
        assertThat(directory.resolve("run")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan nofs://x --batch 4",
                "cat nofs://x",
                "run --data good --batch 4 --run nofs://x -- true",
                "replay nofs://x --step 0",
                "runs ls nofs://x"
            })
    void aFileSystemThatFlinkDoesNotHaveIsTold(String command) {
        List<String> words =
                Stream.of(command.split(" ")).map(w -> w.equals("good") ? path(w) : w).toList();

        assertRefused(
                1,
                List.of("Flink has no file system for nofs://x", "put the plugin for nofs"),
                words);
    }

    static Stream<Arguments> misuses() {
        return Stream.of(
                arguments(List.of("cat", "--limit", "-2"), "--limit is -2: it must be at least 0"),
                arguments(
                        List.of("order", "--batch", "16", "--steps", "0"),
                        "--steps is 0: it must be at least 1"),
                arguments(
                        List.of("order", "--batch", "16", "--steps", "-1"),
                        "--steps is -1: it must be at least 1"),
                arguments(
                        List.of("order", "--batch", "16", "--epoch", "-1"),
                        "there is no epoch -1: the first is 0"),
                arguments(
                        List.of("order", "--batch", "16", "--step", "4"),
                        "there is no step 4: an epoch has the steps 0 to 3"),
                arguments(
                        List.of("order", "--batch", "16", "--step", "1", "--steps", "99"),
                        "--steps is 99: from step 1 on an epoch has 3 steps"),
                arguments(
                        List.of("show", "--batch", "16", "--rank", "2", "--world", "2"),
                        "rank 2 is not one of a world of 2: 0 to 1"),
                arguments(
                        List.of("show", "--batch", "16", "--rank", "0", "--world", "3"),
                        "16 lanes cannot be shared among 3 ranks evenly"),
                arguments(
                        List.of("show", "--batch", "16", "--rank", "0", "--world", "0"),
                        "the world size is 0: it must be at least 1"),
                arguments(
                        List.of("show", "--batch", "16", "--columns", "lable"),
                        "Did you mean \"label\"?"),
                arguments(List.of("cat", "--columns", "lable"), "Did you mean \"label\"?"),
                arguments(List.of("cat", "--columns", "id,id"), "\"id\" is asked for twice"),
                arguments(
                        List.of("show", "--batch", "16", "--shuffle", "all"),
                        "'all' is not one of none, lane, global"),
                arguments(
                        List.of("cat", "--format", "xml"),
                        "'xml' is not one of table, json, arrow"));
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void verbsRefuseImpossibleValues(List<String> verb, String part) {
        List<String> words = new ArrayList<>(verb);
        words.add(1, path("good"));

        assertRefused(2, List.of(part), words);
        assertThat(Cli.run(words.toArray(String[]::new)).out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--epochs | 0 | the stream 'train' has 0 epochs: it needs at least 1",
                "--epochs | -1 | the stream 'train' has -1 epochs: it needs at least 1",
                "--ranks | 0 | the world size is 0: it must be at least 1",
                "--ranks | 3 | 16 lanes cannot be shared among 3 ranks evenly",
                "--restarts | -1 | --restarts is -1: it must be at least 0",
                "--lanes | 0 | lanes is 0: it must be at least 1",
                "--window | 0 | window is 0: it must be at least 1",
                "--seed | -1 | '-1' is not a whole number from 0 to 2^64 - 1",
                "--cache-size | 0GiB | '0GiB' is not a size above 0",
                "--cache | ' ' | a path is empty",
                "--eval-data | s3: | 's3:' is neither a path nor a URI",
                "--cluster | localhost | --cluster is 'localhost': it must be the HOST:PORT",
                "--cluster | :8081 | --cluster is ':8081': it must be the HOST:PORT",
                "--cluster | two words:8081 | --cluster is 'two words:8081': it must be",
                "--cluster | localhost:0 | --cluster is 'localhost:0': it must be the HOST:PORT",
                "--cluster | localhost:65536 | --cluster is 'localhost:65536': it must be",
                "--cluster | http://localhost:8081 | --cluster is 'http://localhost:8081': it must",
            })
    void runRefusesImpossibleValues(String option, String value, String part) {
        List<String> words = new ArrayList<>(List.of("run", "--run", path("run")));
        words.addAll(List.of("--data", path("good"), "--batch", "16", option, value));
        words.addAll(List.of("--", "true"));

        assertRefused(2, List.of(part), words);
        assertThat(directory.resolve("run")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan s3: --batch 4",
                "cat s3:",
                "run --data good --batch 4 --run s3: -- true",
                "replay s3: --step 0",
                "status s3:",
                "runs ls s3:"
            })
    void aSchemeAloneIsNoPath(String command) {
        List<String> words =
                Stream.of(command.split(" ")).map(w -> w.equals("good") ? path(w) : w).toList();

        assertRefused(2, List.of("'s3:' is neither a path nor a URI"), words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "streams: {train: {data: good, order: {batch: 16, epochs: 0}}}",
                "streams: {train: {data: good, columns: [id, id], order: {batch: 16}}}",
                "streams: {train: {data: 's3:', order: {batch: 16}}}",
                "{streams: {train: {data: good, order: {batch: 16}}}, run: {directory: 's3:'}}",
                "{streams: {train: {data: good, order: {batch: 16}}}, run: {digests: -1}}"
            })
    void aRunFileOfImpossibleValuesIsRefused(String text) throws Exception {
        Path file = directory.resolve("impossible.yaml");
        Files.writeString(file, text);

        assertRefused(2, List.of(file + ":1: "), List.of("run", file.toString()));
        assertRefused(2, List.of(file + ":1: "), List.of("plan", file.toString()));
    }

    @Test
    void aGlobThatTheShellHasExpandedIsTold() {
        String file = path("good/a.parquet");
        String part = "put a glob in quotes, as in --data 'DIR/*.parquet'";

        assertRefused(2, List.of(part), List.of("run", "--data", file, file, "--batch", "1"));
        assertRefused(2, List.of(part), List.of("run", file));
    }

    static Stream<Arguments> outputs() {
        return Stream.of(
                arguments("nowhere/x.json", "/nowhere; make it, or choose another file"),
                arguments("good", "/good: it is a directory; name a file in it"),
                arguments("file/x.json", "/file; make it, or choose another file"));
    }

    @ParameterizedTest
    @MethodSource("outputs")
    void rowsAreNotWrittenWhereNoFileCanBe(String file, String part) {
        List<String> parts = List.of("the rows cannot be written to " + path(file), part);
        String data = path("good");

        assertRefused(1, parts, List.of("cat", data, "-o", path(file)));
        assertRefused(1, parts, List.of("show", data, "--batch", "16", "-o", path(file)));
    }

    static Stream<Arguments> runs() {
        return Stream.of(
                arguments("--run", "file", "is a file: choose another"),
                arguments("--run", "file/run", "cannot be created or written: choose another"),
                arguments("--run", "good", "/good holds files and no run"),
                arguments("--cache", "file", "/file cannot be made or written: set cache"));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void runRefusesADirectoryThatItCannotUse(String option, String value, String part) {
        List<String> words = new ArrayList<>(List.of("run", "--data", path("good")));
        words.addAll(List.of("--batch", "16", option, path(value)));
        if (!option.equals("--run")) {
            words.addAll(List.of("--run", path("refused")));
        }
        // The trainer outlives the job unless the job's failure ends it.
        words.addAll(List.of("--", "sleep", "600"));

        Cli.Result result = Cli.run(words.toArray(String[]::new));

        assertOneMessage(result, 1, List.of(part));
    }

    @Test
    void aDirectoryIsNoRunFile() {
        assertRefused(2, List.of("a dataset is named by --data"), List.of("run", path("good")));
    }

    @Test
    void aPortThatIsInUseBySomethingElseIsNoCluster() throws Exception {
        Path file = directory.resolve("job.yaml");
        Files.writeString(
                file,
                """
                streams: {train: {data: good, order: {batch: 16}}}
                trainers: {command: ["true"]}
                run: {directory: cluster-run}
                """);
        try (ServerSocket other = new ServerSocket(0)) {
            Thread answers = new Thread(() -> answer(other), "not-flink");
            answers.start();

            assertRefused(
                    1,
                    List.of("127.0.0.1:" + other.getLocalPort() + " is no Flink"),
                    List.of(
                            "run",
                            file.toString(),
                            "--cluster",
                            "127.0.0.1:" + other.getLocalPort()));
            answers.join();
        }
        assertThat(directory.resolve("cluster-run")).doesNotExist();
    }

    private static void answer(ServerSocket server) {
        try (Socket client = server.accept()) {
            client.getInputStream().read();
            client.getOutputStream()
                    .write(
                            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"
                                    .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The arguments of a command line; the first names a dataset. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.set(0, path(words.get(0)));
        return words;
    }

    private static String path(String name) {
        return directory.resolve(name).toString();
    }

    private static void assertRefused(int status, List<String> parts, List<String> words) {
        Cli.Result result = Cli.run(words.toArray(String[]::new));

        assertOneMessage(result, status, parts);
        assertThat(result.err().lines().filter(line -> !line.startsWith("See '"))).hasSize(1);
    }

    private static void assertOneMessage(Cli.Result result, int status, List<String> parts) {
        assertThat(result.err()).contains(parts).doesNotContain("\tat ", "Exception");
        assertThat(result.err().lines().filter(line -> line.startsWith("lockstep: "))).hasSize(1);
        assertThat(result.status()).as(result.err()).isEqualTo(status);
    }
}
