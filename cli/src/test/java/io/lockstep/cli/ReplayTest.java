package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.audit.DigestRow;
import io.lockstep.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay} on sealed runs. */
class ReplayTest {

    @TempDir static Path directory;

    private static String run;

    @BeforeAll
    static void seal() throws Exception {
        TestData.numbers(directory.resolve("data"));
        run =
                SealedRuns.seal(
                                directory.resolve("run"),
                                """
                                  train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 7, epochs: 2}}
                                """)
                        .root();
    }

    @Test
    void aStepCountsOverAllEpochsUnlessOneIsNamed() {
        List<String> rows = Cli.run("show", run, "--epoch", "1", "--step", "3").lines();

        Cli.Result counted = replay("--step", "14");

        assertThat(counted.status()).isZero();
        assertThat(counted.lines()).isEqualTo(rows);
        assertThat(counted.err()).contains("stream 'train', epoch 1, step 3 (step 14 of the run)");
        assertThat(replay("--epoch", "1", "--step", "3").lines()).isEqualTo(rows);
    }

    @Test
    void aRankGetsItsPart() {
        List<String> part = List.of("--step", "3", "--rank", "1", "--world", "2");
        List<String> args = new ArrayList<>(List.of("show", run));
        args.addAll(part);

        assertThat(replay(part.toArray(String[]::new)).lines())
                .isEqualTo(Cli.run(args.toArray(String[]::new)).lines())
                .hasSize(6);
    }

    @Test
    void paddingIsTold() throws Exception {
        String padded =
                SealedRuns.seal(
                                directory.resolve("padded"),
                                """
                                  train: {data: data, order: {batch: 12, lanes: 4, window: 2, tail: pad}}
                                """)
                        .root();

        List<String> last = Cli.run("replay", padded, "--step", "11").lines();
        List<String> first = Cli.run("replay", padded, "--step", "0").lines();

        assertThat(last).hasSize(12).filteredOn(row -> row.contains("\"_weight\":0")).hasSize(4);
        assertThat(last).filteredOn(row -> row.contains("\"_weight\":1")).hasSize(8);
        assertThat(first).hasSize(12).noneMatch(row -> row.contains("_weight"));
        assertThat(Cli.run("replay", padded, "--step", "12").err())
                .contains("the stream 'train' has the steps 0 to 11 in 1 epoch;");
    }

    @Test
    void aSequentialRunIsReplayedInTheDatasetsOrder() throws Exception {
        String sequential =
                SealedRuns.seal(
                                directory.resolve("sequential"),
                                """
                                  train: {data: data, order: {batch: 12, lanes: 4, shuffle: sequential, tail: pad, epochs: 2}}
                                """)
                        .root();
        List<String> all = Cli.run("cat", directory.resolve("data").toString()).lines();

        assertThat(withoutPlace(Cli.run("replay", sequential, "--step", "15").lines()))
                .isEqualTo(withoutPlace(all.subList(36, 48)));
        assertThat(withoutPlace(Cli.run("replay", sequential, "--step", "11").lines()))
                .isEqualTo(
                        withoutPlace(
                                Stream.concat(
                                                all.subList(132, 140).stream(),
                                                all.subList(0, 4).stream())
                                        .toList()));
    }

    /** The rows' columns alone. */
    private static List<String> withoutPlace(List<String> rows) {
        return rows.stream().map(row -> row.replaceAll(",\"_[a-z]+\":[^,}]*", "")).toList();
    }

    @Test
    void theDigestIsComparedWithTheRecordedOne() throws Exception {
        RunDirectory recorded =
                SealedRuns.seal(
                        directory.resolve("recorded"),
                        """
                          train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 7, epochs: 2}}
                        """);
        SealedRuns.record(recorded, DigestRow.Kind.SERVED, 1, 0, 2, 0, 3);
        SealedRuns.record(recorded, DigestRow.Kind.CONSUMED, 1, 1, 2, 0, 3);
        SealedRuns.record(recorded, DigestRow.Kind.SERVED, 1, 1, 2, 0, 4);
        String root = recorded.root();

        Cli.Result whole = Cli.run("replay", root, "--step", "3");
        assertThat(whole.err())
                .containsPattern("its digest [0-9a-f]{32} over 4 lanes is the recorded one");
        assertThat(whole.status()).isZero();
        assertThat(Cli.run("replay", root, "--step", "4").err())
                .contains("but for lanes without a record: [0, 1]");
        assertThat(Cli.run("replay", root, "--step", "5").err())
                .contains("the run has no record of this step");
        assertThat(Cli.run("replay", root, "--step", "4", "--rank", "0", "--world", "2").err())
                .contains("the run did not record these lanes of the step");
    }

    @Test
    void aDigestThatIsNotTheRecordedOneIsAFailure() throws Exception {
        RunDirectory other =
                SealedRuns.seal(
                        directory.resolve("other"),
                        """
                          train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 7}}
                        """);
        SealedRuns.record(other, DigestRow.Kind.SERVED, 1, 0, 1, 0, 6);
        Path archive = Path.of(other.root(), "digests");
        Path wrong =
                SealedRuns.seal(
                                directory.resolve("wrong"),
                                """
                          train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 8}}
                        """)
                        .root()
                        .transform(Path::of);
        Files.move(archive, wrong.resolve("digests"));

        Cli.Result result = Cli.run("replay", wrong.toString(), "--step", "6");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.lines()).hasSize(12);
        assertThat(result.err()).contains("lane 0 is NOT the recorded one");
    }

    @Test
    void stepsThatAreNotThereAreRefused() {
        assertRefused(2, "the stream 'train' has the steps 0 to 21 in 2 epochs", "--step", "22");
        assertRefused(2, "has the steps 0 to 10", "--epoch", "0", "--step", "11");
        assertRefused(2, "count from 0", "--step", "-1");
        assertRefused(2, "Missing required option: '--step=N'");
        assertRefused(2, "--rank and --world belong together", "--step", "1", "--rank", "1");
        Cli.Result nowhere = Cli.run("replay", directory.toString(), "--step", "1");
        assertThat(nowhere.status()).isEqualTo(2);
        assertThat(nowhere.err()).contains(directory + " is no run directory");
    }

    private static void assertRefused(int status, String message, String... args) {
        Cli.Result result = replay(args);
        assertThat(result.err()).contains(message).doesNotContain("\tat ");
        assertThat(result.status()).isEqualTo(status);
        assertThat(result.out()).isEmpty();
    }

    private static Cli.Result replay(String... more) {
        List<String> args = new ArrayList<>(List.of("replay", run));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }
}
