package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code status} of a run whose trainers hold their first batch. */
@Timeout(180)
class StatusTest {

    @TempDir Path directory;

    @Test
    void whoWaitsForWhomIsToldWhateverBecomesOfTheServer() throws Exception {
        TrainingRuns runs = TrainingRuns.below(directory);
        try (CommandProcess command =
                CommandProcess.start(
                        directory.resolve("errors"), "run", runs.file("hang").toString())) {
            command.line();
            String status = status(runs);
            while (!status.contains("waiting for rank 0") || !status.contains("for rank 1")) {
                status = status(runs);
            }

            assertThat(status)
                    .contains("generation 1: 2 of 2 ranks attached, 0 finished")
                    .containsPattern("servers +0 at grpc\\+tcp://127.0.0.1:\\d+: ")
                    .containsPattern(
                            "lanes 2-3 of server 0 are waiting for rank 1 since [\\d.]+ s: train"
                                    + " epoch 0, step \\d+ (is ready|comes next)")
                    .contains("nobody wants lanes 0-3 of eval now");
            JsonNode json =
                    new ObjectMapper()
                            .readTree(Cli.run("status", runs.run().toString(), "--json").out());
            assertThat(json.at("/trainers/world").asInt()).isEqualTo(2);
            assertThat(json.at("/servers/0/answers").asBoolean()).isTrue();
            assertThat(json.get("lanes")).hasSize(8);
            assertThat(json.at("/lanes/7/rank").asInt()).isEqualTo(1);

            command.freeze();
            long before = System.nanoTime();
            assertThat(status(runs)).contains("NOT ANSWERING, no answer within 5 s");
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isLessThan(Duration.ofSeconds(30));

            command.kill();
            command.exitCode();
            assertThat(status(runs))
                    .contains("NOT ANSWERING, nothing listens there")
                    .contains("the lanes of server 0 wait for it to answer");
        }
    }

    @Test
    void aRunThatDoesNotRunHasNoServers() throws Exception {
        TestData.numbers(directory.resolve("data"));
        SealedRuns.seal(directory.resolve("run"), "  train: {data: data, order: {batch: 12}}\n");

        Cli.Result result = Cli.run("status", directory.resolve("run").toString());

        assertThat(result.status()).isZero();
        assertThat(result.out())
                .contains("none has attached yet", "none: the job does not run")
                .doesNotContain("waits");
    }

    private static String status(TrainingRuns runs) {
        Cli.Result result = Cli.run("status", runs.run().toString());
        assertThat(result.status()).as(result.err()).isZero();
        return result.out();
    }
}
