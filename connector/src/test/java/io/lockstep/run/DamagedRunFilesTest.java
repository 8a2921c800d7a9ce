package io.lockstep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON files of a run directory: later releases, power failures and damaged disks. */
class DamagedRunFilesTest {

    private static final SinkEntry SINK =
            new SinkEntry(0, "uri", "host", 0, "task", Map.of("train", List.of(0)));
    private static final StreamSeal SEAL =
            new StreamSeal("digest", "fingerprint", List.of("a"), Map.of(), List.of());
    private static final LaunchEntry LAUNCH = new LaunchEntry(4, "job", "launch", 2);
    private static final LogEntry LOG = new LogEntry("2026-01-01T00:00Z", 1, 0, "train", 0, 5, "x");
    private static final GenerationEntry GENERATION =
            new GenerationEntry(
                    4,
                    "job",
                    "launch",
                    2,
                    List.of(new GenerationEntry.Member(0, "host", "instance")),
                    List.of(1),
                    List.of(
                            new GenerationEntry.Start(
                                    "train", 0, 1, new TreeMap<>(Map.of("step", "5")))));

    @TempDir private Path directory;

    private RunDirectory run;
    private JobEntry job;

    @BeforeEach
    void writeAll() throws IOException {
        run = new RunDirectory(directory.toString());
        run.writeSink(SINK);
        run.writeStream("train", SEAL);
        run.writeLaunch(LAUNCH);
        run.writeGeneration(GENERATION);
        run.job().fail("job", "no such column");
        run.job().beat("job");
        job = run.job().read().orElseThrow();
        run.log(LOG);
        run.commits().write(commit(1));
        run.commits().write(commit(2));
    }

    private static CommitReport commit(long number) {
        return new CommitReport(number, "train", 1, 1, 0, 5 * number, 0, "{}", null);
    }

    private List<Path> jsonFiles() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".json")).toList();
        }
    }

    @Test
    void everyFileHasAVersion() throws IOException {
        assertThat(jsonFiles())
                .hasSize(9)
                .allSatisfy(file -> assertThat(Files.readString(file)).contains("\"version\" : 1"));
    }

    @Test
    void unknownFieldsAndAMissingVersionAreIgnored() throws IOException {
        for (Path file : jsonFiles()) {
            String content = Files.readString(file);
            Files.writeString(
                    file,
                    content.replace("\"version\" : 1", "\"later\" : {\"b\": [1]}, \"c\": null"));
        }

        assertThat(run.readSinks()).containsExactly(SINK);
        assertThat(run.readStream("train")).contains(SEAL);
        assertThat(run.readGeneration()).contains(GENERATION);
        assertThat(run.job().read()).contains(job);
        assertThat(run.readLog()).containsExactly(LOG);
        assertThat(run.commits().readAll()).containsExactlyInAnyOrder(commit(1), commit(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"version\": 1, \"number\"", "[]", "{}", "{\"version\": 2}"})
    void aDamagedCommitOrEntryIsSkipped(String content) throws IOException {
        Files.writeString(directory.resolve("commits/00000002/rank-0.json"), content);
        Files.writeString(directory.resolve("sinks/0.json"), content);

        assertThat(run.commits().readAll()).containsExactly(commit(1));
        assertThat(run.readSinks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"version\": 1, \"gene", "[]", "{}", "{\"version\": 2}"})
    void aDamagedGenerationIsRebuiltFromTheLaunches(String content) throws IOException {
        run.writeLaunch(new LaunchEntry(5, "job", "next", 3));
        Files.writeString(directory.resolve("trainers/generation.json"), content);

        assertThat(run.readGeneration())
                .contains(
                        new GenerationEntry(5, "job", "next", 3, List.of(), List.of(), List.of()));

        Files.writeString(directory.resolve("trainers/launches/00000005.json"), content);
        assertThat(run.readGeneration()).map(GenerationEntry::generation).contains(5L);
    }

    @Test
    void whatCannotBeRebuiltIsNamed() throws IOException {
        Files.writeString(directory.resolve("streams/train.json"), "");
        Files.delete(directory.resolve("trainers/launches/00000004.json"));
        Files.writeString(directory.resolve("trainers/generation.json"), "{\"version\": 9}");

        assertThatThrownBy(() -> run.readStream("train"))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContaining(directory + "/streams/train.json cannot be read: it is empty")
                .hasMessageContaining("restore it");
        assertThatThrownBy(run::readGeneration)
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContaining("trainers/generation.json")
                .hasMessageContaining("it has version 9 and this release reads 1");
    }

    @Test
    void theJobOfAnEarlierReleaseRuns() throws IOException {
        Files.writeString(directory.resolve("job.json"), "{\"job\": \"former\"}");

        assertThat(run.job().read())
                .contains(new JobEntry("former", JobEntry.State.RUNNING, null, null));
    }

    @Test
    void aFailureDoesNotHideAnotherJobThatRuns() throws IOException {
        run.job().write("serving", JobEntry.State.RUNNING);
        run.job().beat("serving");
        run.job().fail("other", "it is of another run");
        assertThat(run.job().read()).map(JobEntry::job).contains("serving");

        run.job().report("serving", new IOException(new UserException("no such column")));
        assertThat(run.job().read()).map(JobEntry::state).contains(JobEntry.State.FAILED);
        assertThat(Files.readString(directory.resolve("job.json")))
                .contains("\"state\" : \"failed\"", "\"error\" : \"no such column\"");

        Files.writeString(directory.resolve("job.json"), "");
        assertThat(run.job().read()).isEmpty();
    }

    @Test
    void theLastLaunchesAreKept() throws IOException {
        for (int generation = 5; generation < 9; generation++) {
            run.writeLaunch(new LaunchEntry(generation, "job", "launch", 2));
        }

        try (Stream<Path> launches = Files.list(directory.resolve("trainers/launches"))) {
            assertThat(launches).hasSize(3);
        }
    }
}
