package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.TemporaryDirectories;
import io.lockstep.testing.TestPython;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command that ends in mid-run leaves nothing behind. */
@Timeout(180)
class InterruptionTest {

    @TempDir Path directory;

    @Test
    void anInterruptedRunStopsItsTrainers() throws Exception {
        TrainingRuns runs = TrainingRuns.below(directory);
        try (CommandProcess command =
                CommandProcess.start(
                        directory.resolve("errors"), "run", runs.file("hang").toString())) {
            assertThat(command.line()).isEqualTo("hanging");
            assertThat(Cli.run("run", runs.file("train").toString()).err())
                    .contains("the run directory " + runs.run() + " is in use");

            command.terminate();

            assertThat(command.exitCode()).isEqualTo(128 + 15);
        }
        assertThat(directory.resolve("errors"))
                .content()
                .contains("asked to end; stopping the trainers and the job");
        assertNothingIsLeft();
    }

    @Test
    void aKilledRunTakesItsTrainersWithItAndTheNextStartItsFiles() throws Exception {
        TrainingRuns runs = TrainingRuns.below(directory);
        try (CommandProcess command =
                CommandProcess.start(
                        directory.resolve("errors"),
                        temporary(),
                        "run",
                        runs.file("hang").toString())) {
            assertThat(command.line()).isEqualTo("hanging");

            command.kill();

            assertThat(command.exitCode()).isEqualTo(128 + 9);
        }
        assertNothingIsLeft();
        List<Path> left;
        try (Stream<Path> files = Files.list(flinks(temporary()))) {
            left = files.toList();
        }
        assertThat(left).isNotEmpty();
        aRefusedRunEndsWithoutTheClusterThatHasBegunToStart();
        assertThat(left).allSatisfy(file -> assertThat(file).doesNotExist());
    }

    @Test
    void aRefusedRunEndsWithoutTheClusterThatHasBegunToStart() throws Exception {
        try (CommandProcess command =
                CommandProcess.start(
                        directory.resolve("errors"),
                        temporary(),
                        "serve",
                        "--data",
                        directory.resolve("nothing").toString(),
                        "--batch",
                        "12")) {
            assertThat(command.exitCode()).isEqualTo(1);
        }
        assertThat(directory.resolve("errors")).content().contains("There is nothing at");
    }

    @Test
    void aServedJobEndsWithItsInput() throws Exception {
        try (CommandProcess command = serve(temporary(), "--until-eof")) {
            String line = command.line();
            assertThat(new ObjectMapper().readTree(line).get("run").asText())
                    .isEqualTo(directory.resolve("run").toString());
            assertThat(ListeningSockets.of(command.pid()))
                    .isNotEmpty()
                    .allMatch(InetAddress::isLoopbackAddress);
            assertThat(Cli.run("runs", "rm", directory.resolve("run").toString(), "--yes").err())
                    .contains("is in use by 'lockstep serve' (process " + command.pid() + ")");

            command.closeInput();

            assertThat(command.exitCode()).isZero();
            assertThat(command.line()).isNull();
        }
    }

    /** Flink's and the cache's files for a job; their base directories stay for the next one. */
    @Test
    void aServedJobThatIsAskedToEndLeavesNoTemporaryFiles() throws Exception {
        Path temporary = temporary();
        try (CommandProcess command = serve(temporary)) {
            assertThat(command.line()).startsWith("{\"run\":");
            assertThat(flinks(temporary)).isNotEmptyDirectory();

            command.terminate();

            assertThat(command.exitCode()).isEqualTo(128 + 15);
        }
        assertThat(directory.resolve("errors")).content().contains("asked to end; stopping");
        assertThat(flinks(temporary)).isEmptyDirectory();
        assertThat(TemporaryDirectories.ofUser(temporary, "cache")).isEmptyDirectory();
    }

    @Test
    void aServedJobWithoutInputEndsWhenItsTrainerHasClosed() throws Exception {
        try (CommandProcess command =
                serve(temporary(), "--eval-data", directory.resolve("data").toString())) {
            command.closeInput();
            assertThat(command.line()).startsWith("{\"run\":");

            String steps =
                    TestPython.run(
                            """
                            import sys
                            sys.path.insert(0, sys.argv[1])
                            import lockstep
                            train = lockstep.Loader("train", rank=0, world_size=1, run=sys.argv[2], launch="test")
                            evaluation = lockstep.Loader("eval", rank=0, world_size=1, run=sys.argv[2], launch="test")
                            print(sum(1 for batch in train), sum(1 for batch in evaluation))
                            evaluation.close()
                            train.close()
                            """,
                            TestPython.root().resolve("sink-trainer/python").toString(),
                            directory.resolve("run").toString());

            assertThat(steps).isEqualTo("11 12\n");
            assertThat(command.exitCode()).isZero();
        }
    }

    @Test
    void aDetachedJobServesOnWhenTheCommandHasEnded() throws Exception {
        try (CommandProcess command = serve(temporary(), "--detach")) {
            JsonNode announced = new ObjectMapper().readTree(command.line());
            assertThat(command.exitCode()).isZero();

            assertThat(announced.get("run").asText())
                    .isEqualTo(directory.resolve("run").toString());
            ProcessHandle job = ProcessHandle.of(announced.get("pid").asLong()).orElseThrow();
            String status = Cli.run("status", announced.get("run").asText(), "--json").out();
            assertThat(new ObjectMapper().readTree(status).at("/servers/0/answers").asBoolean())
                    .isTrue();
            job.destroy();
            job.onExit().get(60, TimeUnit.SECONDS);
        }
        assertThat(directory.resolve("run/logs/serve.log")).content().contains("asked to end");
    }

    @Test
    void aDetachedJobThatCannotStartIsToldAndLeavesNothing() throws Exception {
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve("a.parquet"), "a letter");
        try (CommandProcess command = serveFrom(data, temporary(), "--detach")) {
            assertThat(command.exitCode()).isEqualTo(1);
            assertThat(command.line()).isNull();
        }
        assertThat(directory.resolve("errors")).content().contains("a.parquet is not a Parquet");
        assertThat(directory.resolve("run")).doesNotExist();
    }

    /** Serves {@link #data} as the run {@code run}. */
    private CommandProcess serve(Path temporary, String... more) throws Exception {
        return serveFrom(data(), temporary, more);
    }

    private CommandProcess serveFrom(Path data, Path temporary, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of("serve", "--data", data.toString()));
        command.addAll(List.of("--batch", "12", "--run", directory.resolve("run").toString()));
        command.addAll(List.of(more));
        return CommandProcess.start(
                directory.resolve("errors"), temporary, command.toArray(String[]::new));
    }

    private static Path flinks(Path temporary) {
        return TemporaryDirectories.ofUser(temporary, "flink");
    }

    private Path data() throws Exception {
        return TestData.numbers(directory.resolve("data"));
    }

    private Path temporary() throws Exception {
        return Files.createDirectories(directory.resolve("temporary"));
    }

    /** Trainers have the test's directory in their command line, and so do their descendants. */
    private void assertNothingIsLeft() throws Exception {
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            Path commandLine = Path.of("/proc/" + process.pid() + "/cmdline");
            if (Files.isReadable(commandLine) && text(commandLine).contains(directory.toString())) {
                process.onExit().get(10, TimeUnit.SECONDS);
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (java.io.IOException e) {
            // It has ended meanwhile.
            return "";
        }
    }
}
