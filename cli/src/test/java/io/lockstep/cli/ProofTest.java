package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks the records that real runs leave behind. */
@Timeout(240)
class ProofTest {

    @TempDir Path directory;

    @Test
    void runsOfOtherNumbersOfRanksGaveTheSame() throws Exception {
        TrainingRuns runs = TrainingRuns.below(directory);
        Path file = runs.file("evaluate");
        assertDone(Cli.run("run", file.toString()));
        Files.writeString(file, Files.readString(file).replace("ranks: 2", "ranks: 4"));
        String second = directory.resolve("second").toString();
        assertDone(Cli.run("run", file.toString(), "--run", second));
        String first = runs.run().toString();

        Cli.Result verified = Cli.run("verify", first, second);

        assertDone(verified);
        // Two epochs of 11 steps, and one of 3 steps of evaluation.
        assertThat(verified.lines())
                .containsExactly(
                        "same order and same content: the digests of all 100 lanes of steps that both"
                                + " runs recorded agree");
        Cli.Result replayed = Cli.run("replay", second, "--step", "21");
        assertDone(replayed);
        assertThat(replayed.err()).contains("over 4 lanes is the recorded one");
        // In the second run, where rank 1 has lane 1; in the first run rank 0 has it.
        String sample = runs.served(1).get(0).split(" ")[2];
        assertThat(Cli.run("locate", first, "--sample", sample).out())
                .contains("epoch 0, step 0, lane 1, place 0: consumed by rank 0 of generation 1");
        assertThat(Cli.run("runs", "ls", directory.toString()).out())
                .containsPattern(" 1  train +2  epoch 1, step 10 +" + first + "\n")
                .containsPattern(" 1  eval +1  epoch 0, step 2 +" + second + "\n");
        assertThat(Cli.run("status", first).out()).contains("2 finished", "none: the run is done");
    }

    private static void assertDone(Cli.Result result) {
        assertThat(result.status()).as(result.err() + result.out()).isZero();
    }
}
