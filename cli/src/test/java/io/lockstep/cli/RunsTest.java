package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.audit.DigestRow;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.JobEntry;
import io.lockstep.run.RunDirectory;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code runs ls} and {@code runs rm}. */
@Timeout(120)
class RunsTest {

    private static final String STREAMS =
            """
              train: {data: ../data, order: {batch: 12, lanes: 4, epochs: 3}}
              eval: {data: ../data, order: {batch: 48, lanes: 4}}
            """;

    @TempDir Path directory;

    private Path runs;
    private RunDirectory first;

    @BeforeEach
    void seal() throws Exception {
        TestData.numbers(directory.resolve("data"));
        runs = directory.resolve("runs");
        Files.createDirectories(runs.resolve("old"));
        Files.createDirectories(runs.resolve(".trash"));
        first = SealedRuns.seal(runs.resolve("first"), STREAMS);
        SealedRuns.seal(runs.resolve("old/second"), STREAMS.replace("../data", "../../data"));
        SealedRuns.seal(runs.resolve(".trash/third"), STREAMS.replace("../data", "../../data"));
    }

    @Test
    void allRunsBelowADirectoryAreListed() throws Exception {
        first.writeGeneration(
                new GenerationEntry(4, "job", "launch", 1, List.of(), List.of(), List.of()));
        SealedRuns.record(first, DigestRow.Kind.CONSUMED, 4, 0, 1, 1, 2, 3);
        SealedRuns.record(first, DigestRow.Kind.SERVED, 4, 0, 1, 1, 4);
        SealedRuns.record(first, DigestRow.Kind.SERVED, 4, 0, 1, 2, 0);

        List<String> lines = Cli.run("runs", "ls", runs.toString()).lines();

        assertThat(lines).hasSize(5);
        assertThat(lines.get(1))
                .containsPattern(" 4  train +3  epoch 1, step 3 +" + runs + "/first$");
        assertThat(lines.get(2)).containsPattern(" 4  eval +1  - +" + runs + "/first$");
        assertThat(lines.get(3)).containsPattern(" 0  train .*" + runs + "/old/second$");
        Cli.Result json = Cli.run("runs", "ls", runs.toString(), "--json");
        assertThat(json.lines()).hasSize(2);
        JsonNode run = new ObjectMapper().readTree(json.lines().get(0));
        assertThat(run.at("/streams/0/lastStep/step").asInt()).isEqualTo(3);
        assertThat(run.get("bytes").asLong()).isPositive();
    }

    @Test
    void aDirectoryWithoutRunsIsSaid() {
        Cli.Result result = Cli.run("runs", "ls", directory.resolve("data").toString());

        assertThat(result.status()).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("no runs below " + directory.resolve("data"));
    }

    @Test
    void aDirectoryThatIsNotThereIsWrongUse() {
        for (String name : List.of("none", "data/b.parquet")) {
            Cli.Result result = Cli.run("runs", "ls", directory.resolve(name).toString());

            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).contains("there is no directory " + directory.resolve(name));
        }
    }

    @Test
    void aNameThatFlinkCannotListIsSaid() throws Exception {
        Files.createDirectories(runs.resolve("old/12:30"));

        Cli.Result result = Cli.run("runs", "ls", runs.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains(runs + "/old holds a name with a colon", "rename");
    }

    @Test
    void aRunIsRemovedOnceSomebodyHasSaidYes() throws Exception {
        Path root = Path.of(first.root());
        first.job().write("job", JobEntry.State.RUNNING);

        Cli.Result no = remove("no\n");
        assertThat(no.status()).isEqualTo(1);
        assertThat(no.err()).contains("remove " + root + " with ", "nothing was removed");
        assertThat(remove("").status()).isEqualTo(1);
        assertThat(root).exists();

        assertThat(remove("yes\n").status()).isZero();
        assertThat(root).doesNotExist();
        assertThat(runs.resolve("old/second")).exists();
    }

    @Test
    void whatLockstepDidNotWriteStays() throws Exception {
        Path model = Files.writeString(Path.of(first.root(), "model.pt"), "weights");

        Cli.Result result = Cli.run("runs", "rm", first.root(), "--yes");

        assertThat(result.status()).isZero();
        assertThat(result.err()).contains("is still in " + first.root() + ": model.pt");
        assertThat(Path.of(first.root())).isDirectoryContaining(model::equals);
        try (var left = Files.list(Path.of(first.root()))) {
            assertThat(left).containsExactly(model);
        }
    }

    @Test
    void aRunThatIsInUseStays() throws Exception {
        TrainingRuns training = TrainingRuns.below(directory.resolve("training"));
        try (CommandProcess command =
                CommandProcess.start(
                        directory.resolve("errors"), "run", training.file("hang").toString())) {
            assertThat(command.line()).isEqualTo("hanging");

            Cli.Result result = Cli.run("runs", "rm", training.run().toString(), "--yes");

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .contains("is in use by 'lockstep run' (process " + command.pid() + ")");
            assertThat(training.run().resolve("run.yaml")).exists();
        }
    }

    @Test
    void wrongUseIsTold() {
        assertThat(Cli.run("runs").err()).contains("'runs' requires a command: ls or rm");
        assertThat(Cli.run("runs").status()).isEqualTo(2);
        Cli.Result data = Cli.run("runs", "rm", directory.resolve("data").toString(), "--yes");
        assertThat(data.status()).isEqualTo(2);
        assertThat(directory.resolve("data/b.parquet")).exists();
    }

    private Cli.Result remove(String answer) {
        InputStream former = System.in;
        System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
        try {
            return Cli.run("runs", "rm", first.root());
        } finally {
            System.setIn(former);
        }
    }
}
