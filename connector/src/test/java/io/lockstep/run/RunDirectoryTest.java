package io.lockstep.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.testing.OwnThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run's small files: replaced atomically, and read during concurrent replacement. */
class RunDirectoryTest {

    @TempDir private Path directory;

    private RunDirectory run;

    @BeforeEach
    void openRun() {
        run = new RunDirectory(directory.toString());
    }

    @Test
    void whatIsNotThereIsEmpty() throws IOException {
        assertThat(run.readSinks()).isEmpty();
        assertThat(run.readGeneration()).isEmpty();
        assertThat(run.readStream("train")).isEmpty();
    }

    @Test
    void entriesAreReplacedAndListedBySubtask() throws IOException {
        run.writeSink(sink(10, "a"));
        run.writeSink(sink(2, "a"));
        run.writeSink(sink(10, "b"));

        assertThat(run.readSinks()).containsExactly(sink(2, "a"), sink(10, "b"));
    }

    @Test
    void aTaskRemovesItsOwnEntryOnly() throws IOException {
        run.writeSink(sink(0, "new"));

        run.removeSink(0, "old");
        assertThat(run.readSinks()).hasSize(1);
        run.removeSink(0, "new");
        assertThat(run.readSinks()).isEmpty();
    }

    @Test
    void aGenerationFromBeforeStartsWereKeptHasNone() throws IOException {
        Path file =
                Files.createDirectories(directory.resolve("trainers")).resolve("generation.json");
        Files.writeString(
                file,
                """
                {"generation": 4, "job": "j", "token": "t", "world": 2, "closed": [1],
                 "ranks": [{"rank": 0, "host": "h", "instance": "i"}]}
                """);

        assertThat(run.readGeneration())
                .contains(
                        new GenerationEntry(
                                4,
                                "j",
                                "t",
                                2,
                                List.of(new GenerationEntry.Member(0, "h", "i")),
                                List.of(1),
                                List.of()));
    }

    @Test
    void readersBearThatEntriesAreClearedAndReplaced() throws Exception {
        CompletableFuture<Void> replacing =
                OwnThreads.run(
                        () -> {
                            for (int i = 0; i < 300; i++) {
                                run.writeSink(sink(i % 3, "task" + i));
                                if (i % 5 == 0) {
                                    run.clearSinks();
                                }
                            }
                        });
        while (!replacing.isDone()) {
            assertThat(run.readSinks())
                    .allSatisfy(entry -> assertThat(entry.host()).isEqualTo("host"));
        }
        replacing.get(30, TimeUnit.SECONDS);
    }

    private static SinkEntry sink(int subtask, String task) {
        return new SinkEntry(
                subtask, "grpc+tcp://host:1", "host", 0, task, Map.of("train", List.of(subtask)));
    }
}
