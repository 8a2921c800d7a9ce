package io.lockstep.cli;

import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Run files over {@link TestData} whose trainers follow a test's script. */
final class TrainingRuns {

    private final Path directory;

    private TrainingRuns(Path directory) {
        this.directory = directory;
    }

    /** Writes data and trainer to a directory. */
    static TrainingRuns below(Path directory) throws Exception {
        TestData.numbers(directory.resolve("data"));
        try (InputStream script = TrainingRuns.class.getResourceAsStream("/python/trainer.py")) {
            Files.copy(script, directory.resolve("trainer.py"));
        }
        return new TrainingRuns(directory);
    }

    /** Starts one trainer. */
    List<String> command(String what) {
        return List.of(
                "env",
                "PYTHONPATH=" + TestPython.root().resolve("sink-trainer/python"),
                TestPython.interpreter(),
                directory.resolve("trainer.py").toString(),
                what,
                directory.toString());
    }

    /**
     * Writes a run file for two ranks.
     *
     * @param more further lines
     */
    Path file(String what, String... more) throws IOException {
        Path file = directory.resolve(what + ".yaml");
        Files.writeString(
                file,
                """
                streams:
                  train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 7, epochs: 2}}
                  eval: {data: data, columns: [id], order: {batch: 48, lanes: 4, shuffle: none, tail: pad}}
                run: {directory: run}
                trainers:
                  ranks: 2
                  command: [%s]
                """
                                .formatted("\"" + String.join("\", \"", command(what)) + "\"")
                        + String.join("\n", more));
        return file;
    }

    Path run() {
        return directory.resolve("run");
    }

    /** The steps served to a rank: one line each, with epoch, step and sample ids. */
    List<String> served(int rank) throws IOException {
        return Files.readAllLines(directory.resolve("samples-" + rank));
    }
}
