package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import io.lockstep.testing.TestPython;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code run} with an embedded Flink and real trainers in Python. */
@Timeout(180)
class RunVerbTest {

    @TempDir Path directory;

    private TrainingRuns runs;

    @BeforeEach
    void write() throws Exception {
        runs = TrainingRuns.below(directory);
    }

    @Test
    void trainersGetWhatTheOrderSays() throws Exception {
        Cli.Result result = Cli.run("run", runs.file("evaluate").toString());

        assertThat(result.err()).contains("run directory: " + runs.run());
        assertThat(result.status()).isZero();
        assertThat(result.err())
                .endsWith(
                        "done: 2 ranks ended with exit code 0; what each wrote is in "
                                + runs.run()
                                + "/logs\n");
        assertThat(result.out()).contains("evaluated 70");
        for (int rank = 0; rank < 2; rank++) {
            assertThat(runs.served(rank)).isEqualTo(expected(rank));
        }
        assertThat(RunFileReader.read(runs.run().resolve("run.yaml")).streams()).hasSize(2);
        assertThat(runs.run().resolve("sinks"))
                .satisfiesAnyOf(
                        sinks -> assertThat(sinks).doesNotExist(),
                        sinks -> assertThat(sinks).isEmptyDirectory());
    }

    @Test
    void aRunCanBeWrittenOnTheCommandLine() throws Exception {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                "--data",
                                directory.resolve("data").toString(),
                                "--batch",
                                "12",
                                "--lanes",
                                "4",
                                "--window",
                                "2",
                                "--seed",
                                "7",
                                "--epochs",
                                "2",
                                "--ranks",
                                "2",
                                "--run",
                                runs.run().toString(),
                                "--cache",
                                directory.resolve("cache").toString(),
                                "--"));
        args.addAll(runs.command("train"));

        Cli.Result result = Cli.run(args.toArray(String[]::new));

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(runs.served(1)).isEqualTo(expected(1));
    }

    @Test
    void aSealedRunServesWhatWasThereWhenItWasSealed() throws Exception {
        String file = runs.file("train").toString();
        assertThat(Cli.run("plan", file, "--seal").status()).isZero();
        Path data = directory.resolve("data");
        Files.copy(data.resolve("c.parquet"), data.resolve("d.parquet"));

        Cli.Result result = Cli.run("run", file);

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(runs.served(0)).isEqualTo(expected(0));
    }

    @Test
    void aSealedRunRefusesOtherSettings() throws Exception {
        Path file = runs.file("train");
        assertThat(Cli.run("plan", file.toString(), "--seal").status()).isZero();
        Files.writeString(file, Files.readString(file).replace("seed: 7", "seed: 8"));

        Cli.Result result = Cli.run("run", file.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("its streams.train.order.seed is 7, and now it is 8");
    }

    @Test
    void aFailedTrainerIsShownWithItsLastLines() throws Exception {
        Cli.Result result = Cli.run("run", runs.file("raise").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("RuntimeError: no luck in step 0")
                .containsPattern(
                        "lockstep: rank [01] ended with exit code 1; its output is in "
                                + runs.run()
                                + "/logs/.*/rank-[01].log");
    }

    @Test
    void trainersAreStartedAgain() throws Exception {
        Cli.Result result = Cli.run("run", runs.file("fail-once", "  restarts: 1").toString());

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.err()).contains("out of luck", "all ranks start again: restart 1 of 1");
        assertThat(runs.served(0)).isEqualTo(expected(0));
        try (Stream<Path> launches = Files.list(runs.run().resolve("logs"))) {
            assertThat(launches).hasSize(2);
        }
    }

    @Test
    void aTrainerThatAsksForAnUnknownStreamIsToldWhatThereIs() throws Exception {
        Cli.Result result = Cli.run("run", runs.file("unknown-stream").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("'test'").contains("train");
    }

    @Test
    void trainersThatNeverAskAreToldOf() {
        Cli.Result result =
                Cli.run(
                        "run",
                        "--data",
                        directory.resolve("data").toString(),
                        "--batch",
                        "12",
                        "--run",
                        runs.run().toString(),
                        "--",
                        "true");

        assertThat(result.status()).isZero();
        assertThat(result.err())
                .contains("rank 0 ended with exit code 0 and has never attached to the job");
    }

    @Test
    void aCacheThatIsTooSmallIsRefusedWithTheNumbers() throws Exception {
        Cli.Result result = Cli.run("run", runs.file("train", "cache: {size: 1KiB}").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("the cache holds 1,024: raise cache.size");
    }

    @Test
    void aDirectoryOfAnotherRunIsRefused() throws Exception {
        String file = runs.file("train").toString();
        assertThat(Cli.run("run", file).status()).isZero();
        String text = Files.readString(Path.of(file));

        Files.writeString(Path.of(file), text.replace("seed: 7", "seed: 8"));
        Cli.Result otherSeed = Cli.run("run", file);
        Files.writeString(Path.of(file), text.replace("data: data", "data: data/a"));
        Cli.Result otherData = Cli.run("run", file);
        Files.writeString(Path.of(file), text.replace("epochs: 2", "epochs: 1"));
        Cli.Result oneEpoch = Cli.run("run", file);

        assertThat(otherSeed.status()).isEqualTo(1);
        assertThat(otherSeed.err())
                .contains(
                        "the run directory "
                                + runs.run()
                                + " holds another run: its streams.train.order.seed is 7, and now"
                                + " it is 8");
        assertThat(otherData.err()).contains("streams.train.data is [" + directory + "/data]");
        assertThat(oneEpoch.status()).as(oneEpoch.err()).isZero();
    }

    @Test
    void aShardThatWasRewrittenIsRefused() throws Exception {
        String file = runs.file("train").toString();
        assertThat(Cli.run("run", file).status()).isZero();
        TestPython.run(
                """
                import sys, pyarrow as pa, pyarrow.parquet as pq
                table = pq.read_table(sys.argv[1])
                pq.write_table(table, sys.argv[1], row_group_size=20)
                """,
                directory.resolve("data/c.parquet").toString());

        Cli.Result result = Cli.run("run", file);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("data/c.parquet");
    }

    @Test
    void aDirectoryWithOtherFilesIsRefused() throws Exception {
        Files.createDirectories(runs.run());
        Files.writeString(runs.run().resolve("thesis.tex"), "");

        Cli.Result result = Cli.run("run", runs.file("train").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("holds files and no run");
    }

    @Test
    void wrongUseIsTold() throws Exception {
        String data = directory.resolve("data").toString();
        assertWrongUse("name a run file, or a dataset by --data", "run");
        assertWrongUse(
                "'b.yaml' is one word too many after the run file a.yaml",
                "run",
                "a.yaml",
                "b.yaml");
        assertWrongUse("There is no run file none.yaml", "run", "none.yaml");
        assertWrongUse(
                "a run file contains all settings",
                "run",
                runs.file("train").toString(),
                "--seed",
                "1");
        assertWrongUse("a path is empty", "run", "--data", "", "--batch", "4", "--", "true");
        assertWrongUse("--batch is missing", "run", "--data", data, "--", "true");
        assertWrongUse(
                "4 lanes cannot be shared among 3 ranks",
                "run",
                "--data",
                data,
                "--batch",
                "4",
                "--ranks",
                "3",
                "--",
                "true");
        assertWrongUse("'8 bits' is not a size", "run", "--data", data, "--cache-size", "8 bits");
        assertWrongUse(
                "it must be the HOST:PORT", "run", runs.file("train").toString(), "--cluster", "x");
        assertWrongUse(
                "the run names no command for its trainers", "run", "--data", data, "--batch", "4");
        Cli.Result program =
                Cli.run("run", "--data", data, "--batch", "4", "--", "no-such-program");
        assertThat(program.err()).contains("'no-such-program', which is in no directory of PATH");
        Cli.Result cluster =
                Cli.run("run", runs.file("train").toString(), "--cluster", "127.0.0.1:1");
        assertThat(cluster.err()).contains("no Flink answers at 127.0.0.1:1");
        assertThat(runs.run()).doesNotExist();
    }

    private static void assertWrongUse(String message, String... args) {
        Cli.Result result = Cli.run(args);
        assertThat(result.err()).contains(message).doesNotContain("\tat ");
        assertThat(result.status()).isEqualTo(2);
    }

    /** The samples that the order gives one of two ranks in two epochs. */
    private static List<String> expected(int rank) {
        OrderSettings settings = new OrderSettings(7, 4, 12, 2, Shuffle.LANE, Tail.DROP);
        Order order = new Order(settings, TestData.ROWS);
        List<String> lines = new ArrayList<>();
        for (long epoch = 0; epoch < 2; epoch++) {
            for (long step = 0; step < order.steps(); step++) {
                StepPlan plan = order.step(epoch, step);
                StringBuilder line = new StringBuilder(epoch + " " + step);
                for (int lane = 2 * rank; lane < 2 * rank + 2; lane++) {
                    for (int place = 0; place < settings.perLane(); place++) {
                        line.append(' ').append(plan.sample(lane, place));
                    }
                }
                lines.add(line.toString());
            }
        }
        return lines;
    }
}
