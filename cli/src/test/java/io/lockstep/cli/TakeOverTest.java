package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.cli.run.OtherJob;
import io.lockstep.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A second job for a run that is being served. */
@Timeout(180)
class TakeOverTest {

    @TempDir Path directory;

    @Test
    void aRunThatAJobServesIsTakenOverOnlyOnRequest() throws Exception {
        TrainingRuns runs = TrainingRuns.below(directory);
        Path file = runs.file("train");
        // A URI is not locked, like a run directory on an object store.
        String run = runs.run().toUri().toString();
        Files.writeString(
                file, Files.readString(file).replace("directory: run", "directory: " + run));
        try (CommandProcess first =
                CommandProcess.start(directory.resolve("errors"), "serve", file.toString())) {
            assertThat(first.line()).startsWith("{\"run\":");
            String job = new RunDirectory(run).job().read().orElseThrow().job();

            Cli.Result refused = Cli.run("run", file.toString());
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.err()).contains("is served by the Flink job " + job);
            Cli.Result sealed = Cli.run("plan", "--seal", file.toString());
            assertThat(sealed.status()).isEqualTo(1);
            assertThat(sealed.err()).contains("is served by the Flink job " + job);
            assertThatThrownBy(() -> JobMain.main(new String[] {file.toString()}))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("is served by the Flink job " + job);
            OtherJob.refuse(new RunDirectory(run), Optional.of(job));

            Cli.Result taken = Cli.run("run", "--take-over", file.toString());
            assertThat(taken.status()).as(taken.err()).isZero();
            assertThat(first.exitCode()).isEqualTo(1);
        }
        assertThat(directory.resolve("errors")).content().contains("was started later for the run");
    }
}
