package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.testing.TestPython;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run directory as the target of {@code plan}, {@code order}, {@code locate} and {@code show}.
 */
class RunTargetTest {

    private static final String STREAMS =
            """
              train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 7, epochs: 2}}
              eval: {data: data, columns: [x], order: {batch: 48, lanes: 4, shuffle: none, tail: pad}}
            """;

    private static final String[] OPTIONS = {
        "--batch", "12", "--lanes", "4", "--window", "2", "--seed", "7"
    };

    @TempDir Path directory;

    private Path data;
    private Path run;

    @BeforeEach
    void seal() throws Exception {
        data = TestData.numbers(directory.resolve("data"));
        run = directory.resolve("run");
        SealedRuns.seal(run, STREAMS);
    }

    @Test
    void theRunsSettingsAndDataAreThoseThatItWasSealedWith() throws Exception {
        List<String> plan = of(data, "plan");
        List<String> order = of(data, "order", "--epoch", "1", "--step", "3");
        List<String> place = of(data, "locate", "--epoch", "0", "--sample", "97");
        List<String> rows = of(data, "show", "--step", "5", "--rank", "1", "--world", "2");

        // An additional file changes the dataset, but not the run.
        Files.copy(data.resolve("b.parquet"), data.resolve("d.parquet"));

        assertThat(of(data, "plan")).isNotEqualTo(plan);
        assertThat(lines("plan")).isEqualTo(plan);
        assertThat(lines("order", "--epoch", "1", "--step", "3")).isEqualTo(order);
        assertThat(lines("locate", "--epoch", "0", "--sample", "97")).isEqualTo(place);
        assertThat(lines("show", "--step", "5", "--rank", "1", "--world", "2")).isEqualTo(rows);
    }

    @Test
    void aRunMayBeNamedByUri() {
        Cli.Result result = Cli.run("order", run.toUri().toString());

        assertThat(result.lines()).isEqualTo(of(data, "order"));
    }

    @Test
    void everyStreamOfTheRunIsThere() {
        assertThat(lines("show", "--stream", "eval", "--step", "2")).hasSize(48);
        assertThat(Cli.run("show", run.toString(), "--stream", "test").err())
                .contains("the run has no stream 'test'");
    }

    @Test
    void aShardThatWasRewrittenIsRefused() throws Exception {
        TestPython.run(
                """
                import sys, pyarrow.parquet as pq
                pq.write_table(pq.read_table(sys.argv[1]), sys.argv[1], row_group_size=20)
                """,
                data.resolve("c.parquet").toString());

        Cli.Result result = Cli.run("show", run.toString(), "--epoch", "1");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("c.parquet").doesNotContain("\tat ");
    }

    @Test
    void settingsThatWereEditedAreRefused() throws Exception {
        Path settings = run.resolve("run.yaml");
        String text = Files.readString(settings);
        Files.writeString(settings, text.replace("seed: 7", "seed: 8"));

        Cli.Result result = Cli.run("order", run.toString());

        assertThat(text).contains("seed: 7");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("run.yaml are not those that the run was sealed with");
    }

    @Test
    void optionsThatARunHasAreWrongUse() {
        for (List<String> more : List.of(List.of("--seed", "8"), List.of("--columns", "x"))) {
            List<String> args = new ArrayList<>(List.of("plan", run.toString()));
            args.addAll(more);
            Cli.Result result = Cli.run(args.toArray(String[]::new));
            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).contains("the directory of a run has the order's settings");
        }
        assertThat(Cli.run("plan", run.toString(), data.toString()).err())
                .contains("the directory of a run stands alone, not among 2 targets");
    }

    private List<String> lines(String verb, String... more) {
        List<String> args = new ArrayList<>(List.of(verb, run.toString()));
        args.addAll(List.of(more));
        return lines(args);
    }

    private static List<String> of(Path dataset, String verb, String... more) {
        List<String> args = new ArrayList<>(List.of(verb, dataset.toString()));
        args.addAll(List.of(OPTIONS));
        args.addAll(List.of(more));
        return lines(args);
    }

    private static List<String> lines(List<String> args) {
        Cli.Result result = Cli.run(args.toArray(String[]::new));
        assertThat(result.status()).as(result.err()).isZero();
        return result.lines();
    }
}
