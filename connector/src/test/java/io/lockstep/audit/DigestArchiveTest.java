package io.lockstep.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.digest.Digest128;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the files that writers leave in a run directory. */
class DigestArchiveTest {

    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir Path directory;
    private RunDirectory run;
    private DigestArchive archive;

    @BeforeEach
    void open() {
        run = new RunDirectory(directory.toString());
        archive = new DigestArchive(run);
    }

    @Test
    void stepsWithoutARecordBetweenTwoGenerationsAreGaps() throws Exception {
        try (DigestWriter writer = DigestWriter.open(run, DigestRetention.KEEP)) {
            DigestRows.consumed(1, 0, 0, 10).forEach(writer::add);
            // Skipped by trainers of one generation, on request.
            DigestRows.consumed(2, 0, 12, 20).forEach(writer::add);
            DigestRows.consumed(2, 0, 25, 30).forEach(writer::add);
            DigestRows.consumed(3, 1, 2, 5).forEach(writer::add);
            // A state of another run: nothing tells where the last record was.
            DigestRows.consumed(4, 7, 3, 5).forEach(writer::add);
        }
        assertThat(new DigestArchive(run).proof("train").gaps())
                .containsExactly(new Gap("train", 0, 10, 11), new Gap("train", 1, 0, 1));
    }

    @Test
    void keepsServedAndConsumedApart() throws Exception {
        write(
                DigestRows.served("train", 0, 5),
                DigestRows.served("train", 0, 5),
                DigestRows.consumed(2, 0, 5),
                DigestRows.consumed(3, 0, 5));
        RecordedStep step = archive.lookup("train", 0, 5).orElseThrow();
        Digest128 digest = DigestRows.digest(0, 5, 2);
        assertThat(step.lanes()).containsOnlyKeys(DigestRows.LANES);
        assertThat(step.lanes().get(2))
                .containsExactly(
                        new Evidence(Kind.SERVED, 1, 0, digest),
                        new Evidence(Kind.CONSUMED, 2, 0, digest),
                        new Evidence(Kind.CONSUMED, 3, 0, digest));
        assertThat(step.digests(2)).containsExactly(digest);
        assertThat(archive.lookup("train", 0, 6)).isEmpty();
        assertThat(archive.lookup("eval", 7, 0)).isEmpty();
    }

    @Test
    void keepsDigestsThatContradictEachOther() throws Exception {
        Digest128 other = new Digest128(-1, -1);
        write(DigestRows.served("train", 0, 1));
        write(new DigestRow(Kind.SERVED, "train", 1, 0, 0, 1, List.of(3), List.of(other)));
        RecordedStep step = archive.lookup("train", 0, 1).orElseThrow();
        assertThat(step.digests(3)).containsExactly(DigestRows.digest(0, 1, 3), other);
        assertThat(step.digests(2)).hasSize(1);
    }

    @Test
    void givesTheStepsOfManyWritersInOrder() throws Exception {
        List<DigestRow> rows = DigestRows.consumed(1, 3, 0, 5000);
        try (DigestWriter one = writer(DigestRetention.KEEP);
                DigestWriter other = writer(DigestRetention.KEEP)) {
            for (DigestRow row : rows) {
                (row.step() % 3 == 0 ? one : other).add(row);
                if (row.step() % 700 == 0) {
                    one.whenDurable().get();
                    other.whenDurable().get();
                }
            }
        }
        assertThat(archive.streams()).containsExactly("train");
        assertThat(archive.epochs("train")).containsExactly(3L);
        assertThat(steps(archive.steps("train", 3)))
                .isEqualTo(rows.stream().map(r -> r.step()).toList());
    }

    /** About 5 files replace one file per flush. */
    @Test
    void growsFilesInsteadOfMakingMany() throws Exception {
        try (DigestWriter writer = writer(DigestRetention.KEEP)) {
            for (DigestRow row : DigestRows.consumed(1, 0, 0, 80_000)) {
                writer.add(row);
                if (row.step() % 4000 == 0) {
                    writer.whenDurable().get();
                }
            }
        }
        try (Stream<Path> files = Files.list(directory.resolve("digests/train"))) {
            assertThat(files.toList()).hasSizeBetween(4, 6);
        }
        long bytes = 0;
        try (Stream<Path> files = Files.list(directory.resolve("digests/train"))) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        assertThat(bytes / (80_000.0 * DigestRows.LANES.size())).isBetween(16.0, 16.1);
    }

    /** The documented size: 16 bytes per lane and step, once for served and once for consumed. */
    @Test
    void smallEpochsShareFiles() throws Exception {
        int epochs = 18_000;
        int steps = 4;
        try (DigestWriter writer = writer(DigestRetention.KEEP)) {
            for (long epoch = 0; epoch < epochs; epoch++) {
                for (long step = 0; step < steps; step++) {
                    writer.add(DigestRows.served("train", epoch, step));
                    writer.add(DigestRows.consumed(1, epoch, step));
                }
                if (epoch % 100 == 0) {
                    writer.whenDurable().get();
                }
            }
        }
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }
        assertThat(files()).hasSizeLessThan(12);
        assertThat(bytes / (steps * 2.0 * epochs * DigestRows.LANES.size())).isBetween(16.0, 16.6);
        assertThat(archive.epochs("train")).hasSize(epochs);
        assertThat(archive.lookup("train", 17_000, 3)).isPresent();
        assertThat(archive.lookup("train", 17_000, 4)).isEmpty();
        RecordedSteps recorded = archive.steps("train");
        for (long epoch = 0; epoch < epochs; epoch++) {
            assertThat(recorded.find(epoch, 1)).isPresent();
        }
        assertThat(archive.last("train", Kind.CONSUMED)).hasValue(new StepKey(17_999, 3));
    }

    /** A file is deleted when the retention of its last epoch ends. */
    @Test
    void dropsFilesOfSeveralEpochs() throws Exception {
        try (DigestWriter writer = writer(new DigestRetention(10))) {
            for (long epoch = 0; epoch < 18_000; epoch++) {
                writer.add(DigestRows.served("train", epoch, 0));
                if (epoch % 1000 == 0) {
                    writer.whenDurable().get();
                }
            }
        }
        assertThat(files()).hasSize(1);
        assertThat(archive.epochs("train"))
                .isEqualTo(LongStream.range(17_989, 18_000).boxed().toList());
    }

    /** Format 1 has a folder for each epoch. */
    @Test
    void readsAnEarlierReleasesFilesBesideItsOwn() throws Exception {
        Path earlier = Files.createDirectories(directory.resolve("digests/train/2"));
        Files.write(
                earlier.resolve("a-1-1.digests"),
                HexFormat.of().parseHex(SegmentFormatsTest.FORMAT_1));
        write(DigestRows.consumed(1, 0, 7), DigestRows.consumed(1, 3, 7));
        assertThat(archive.epochs("train")).containsExactly(0L, 2L, 3L);
        assertThat(archive.lookup("train", 2, 5).orElseThrow().lanes()).containsOnlyKeys(0, 3);
        assertThat(steps(archive.steps("train"))).containsExactly(7L, 4L, 5L, 7L);
        assertThat(archive.last("train", Kind.SERVED)).hasValue(new StepKey(2, 5));
        try (DigestWriter writer = writer(new DigestRetention(1))) {
            writer.add(DigestRows.served("train", 4, 0));
        }
        assertThat(archive.epochs("train")).containsExactly(0L, 3L, 4L);
    }

    @Test
    void canBeReadWhileFilesAreReplaced() throws Exception {
        try (DigestWriter writer = writer(DigestRetention.KEEP)) {
            DigestRows.consumed(1, 0, 0, 3000).forEach(writer::add);
            writer.whenDurable().get();
            RecordedSteps steps = archive.steps("train", 0);
            DigestRows.consumed(1, 0, 3000, 3100).forEach(writer::add);
            writer.whenDurable().get();
            assertThat(steps(steps)).hasSizeGreaterThanOrEqualTo(3000).startsWith(0L, 1L);
        }
    }

    /** The first file is damaged, so reading it fails. */
    @Test
    void findsTheLastConsumedStepInTheLastFileAlone() throws Exception {
        write(DigestRows.consumed(1, 0, 4));
        damage(onlyFile());
        try (DigestWriter writer = writer(DigestRetention.KEEP)) {
            writer.add(DigestRows.consumed(1, 0, 7));
            writer.add(DigestRows.served("train", 0, 9));
        }
        assertThat(archive.last("train", Kind.CONSUMED)).hasValue(new StepKey(0, 7));
        assertThat(archive.last("train", Kind.SERVED)).hasValue(new StepKey(0, 9));
        assertThat(archive.last("eval", Kind.CONSUMED)).isEmpty();
    }

    @Test
    void dropsEpochsThatAreNotToBeKept() throws Exception {
        try (DigestWriter writer = writer(new DigestRetention(1))) {
            for (long epoch = 0; epoch < 4; epoch++) {
                writer.add(DigestRows.served("train", epoch, 0));
                writer.add(DigestRows.served("eval", 0, epoch));
                writer.whenDurable().get();
            }
        }
        assertThat(archive.epochs("train")).containsExactly(2L, 3L);
        assertThat(archive.epochs("eval")).containsExactly(0L);
        assertThat(steps(archive.steps("eval", 0))).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void keepsNothingThatIsToldAfterItsTime() throws Exception {
        try (DigestWriter writer = writer(new DigestRetention(1))) {
            for (long epoch = 0; epoch < 6; epoch++) {
                writer.add(DigestRows.served("train", epoch, 0));
            }
            writer.whenDurable().get();
            for (long epoch = 0; epoch < 6; epoch++) {
                writer.add(DigestRows.consumed(1, epoch, 0));
                writer.whenDurable().get();
            }
        }
        assertThat(archive.epochs("train")).containsExactly(4L, 5L);
    }

    @Test
    void keepsWhatTrainersGetThatBeginAnew() throws Exception {
        try (DigestWriter writer = writer(new DigestRetention(1))) {
            writer.add(DigestRows.served("train", 5, 0));
            writer.whenDurable().get();
            writer.add(DigestRows.served("train", 0, 0));
            writer.add(DigestRows.consumed(2, 0, 0));
            writer.whenDurable().get();
        }
        assertThat(archive.epochs("train")).containsExactly(0L, 5L);
    }

    @Test
    void refusesADamagedFile() throws Exception {
        write(DigestRows.served("train", 0, 1));
        Path file = onlyFile();
        damage(file);
        assertThatThrownBy(() -> archive.lookup("train", 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining("damaged");
    }

    @Test
    void keepsRowsThatCannotBeWrittenUntilTheyCan() throws Exception {
        Path blocked = Files.createFile(directory.resolve("digests"));
        try (DigestWriter writer = writer(DigestRetention.KEEP)) {
            long rows = writer.add(DigestRows.served("train", 0, 1));
            assertThatThrownBy(() -> writer.whenDurable().get())
                    .hasCauseInstanceOf(IOException.class)
                    .hasMessageContaining(directory + "/digests")
                    .hasMessageContaining("digests: off");
            assertThat(writer.settled()).isZero();
            Files.delete(blocked);
            writer.whenDurable().get();
            assertThat(writer.settled()).isEqualTo(rows);
        }
        assertThat(archive.lookup("train", 0, 1)).isPresent();
    }

    @Test
    void saysWhenRowsAreDurable() throws Exception {
        try (DigestWriter writer = writer(DigestRetention.KEEP)) {
            long rows = writer.add(DigestRows.served("train", 0, 1));
            writer.whenDurable().get();
            assertThat(writer.settled()).isEqualTo(rows);
            assertThat(archive.lookup("train", 0, 1)).isPresent();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("digests/train"))) {
            return files.toList();
        }
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("digests/train"))) {
            return files.findFirst().orElseThrow();
        }
    }

    private static void damage(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        content[content.length - 10]++;
        Files.write(file, content);
    }

    private DigestWriter writer(DigestRetention retention) {
        return new DigestWriter(run, retention, NEVER);
    }

    private void write(DigestRow... rows) throws Exception {
        try (DigestWriter writer = writer(DigestRetention.KEEP)) {
            for (DigestRow row : rows) {
                writer.add(row);
            }
            writer.whenDurable().get();
        }
    }

    private static List<Long> steps(RecordedSteps steps) throws IOException {
        List<Long> found = new ArrayList<>();
        for (Optional<RecordedStep> step = steps.next(); step.isPresent(); step = steps.next()) {
            found.add(step.get().step());
        }
        return found;
    }
}
