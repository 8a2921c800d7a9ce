package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lanes} of an embedded job, whose only reader has all lanes; clusters are tested elsewhere.
 */
@Timeout(180)
class LanesTest {

    @TempDir Path directory;

    @Test
    void tellsWhereLanesAreAndWhyTheyCannotBeElsewhere() throws Exception {
        TrainingRuns runs = TrainingRuns.below(directory);
        try (CommandProcess command =
                CommandProcess.start(
                        directory.resolve("errors"), "run", runs.file("hang").toString())) {
            command.line();

            // A slow machine may not answer at once.
            String told = lanes(runs).out();
            while (told.contains("NOT ANSWERING")) {
                told = lanes(runs).out();
            }
            assertThat(told).isEqualTo("reader 0 on localhost: eval lanes 0-3; train lanes 0-3\n");
            JsonNode json = new ObjectMapper().readTree(lanes(runs, "--json").out());
            assertThat(json.at("/readers/0/host").asText()).isEqualTo("localhost");
            assertThat(json.at("/readers/0/lanes/train")).hasSize(4);
            assertThat(lanes(runs, "--move", "0-2", "--to", "localhost").status()).isZero();
            assertRefused(
                    lanes(runs, "--drain", "localhost"),
                    1,
                    "there is no other reader that could take the lanes: the job has 0 on localhost");
            assertRefused(
                    lanes(runs, "--move", "3", "--stream", "test", "--to", "0"),
                    1,
                    "the lanes cannot be moved: the run has no stream 'test': it has 'eval', 'train'");
            assertRefused(
                    lanes(runs, "--move", "3,9-10", "--to", "0"),
                    2,
                    "no stream of the run has lanes 9-10: 'lockstep lanes' shows those it has");
            assertRefused(
                    lanes(runs, "--move", "3", "--to", "node-7"),
                    2,
                    "the job has no reader at 'node-7': it has 0 on localhost");
            assertRefused(
                    lanes(runs, "--move", "3-1", "--to", "0"),
                    2,
                    "'3-1' is no lane and no range of lanes: write 3, or 0-3, or 0-3,7");
            command.kill();
            command.exitCode();
            assertThat(lanes(runs).out()).contains("NOT ANSWERING, nothing listens there");
        }
    }

    @Test
    void optionsThatSayTooLittleOrTooMuchAreRefused() throws Exception {
        TestData.numbers(directory.resolve("data"));
        SealedRuns.seal(directory.resolve("run"), "  train: {data: data, order: {batch: 12}}\n");
        String run = directory.resolve("run").toString();

        assertThat(Cli.run("lanes", run).out()).isEqualTo("no reader: the job does not run\n");
        assertRefused(Cli.run("lanes", run, "--move", "3"), 2, "--move needs --to");
        assertRefused(Cli.run("lanes", run, "--to", "3"), 2, "--to needs --move or --drain");
        assertRefused(
                Cli.run("lanes", run, "--move", "3", "--drain", "a", "--to", "b"),
                2,
                "--move and --drain exclude each other");
        assertRefused(Cli.run("lanes", run, "--stream", "train"), 2, "--stream requires --move");
        assertRefused(
                Cli.run("lanes", run, "--drain", "a"),
                1,
                "does not run, so it has no lanes to move");
    }

    private static void assertRefused(Cli.Result result, int status, String why) {
        assertThat(result.err()).contains(why);
        assertThat(result.status()).isEqualTo(status);
    }

    private static Cli.Result lanes(TrainingRuns runs, String... more) {
        String[] words = new String[more.length + 2];
        words[0] = "lanes";
        words[1] = runs.run().toString();
        System.arraycopy(more, 0, words, 2, more.length);
        return Cli.run(words);
    }
}
