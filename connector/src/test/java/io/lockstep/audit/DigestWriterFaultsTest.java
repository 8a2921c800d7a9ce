package io.lockstep.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.audit.DigestWriter.Limits;
import io.lockstep.run.RunDirectory;
import io.lockstep.testing.FaultyFileSystem;
import io.lockstep.testing.FaultyFileSystem.Mode;
import io.lockstep.testing.SmallDisk;
import io.lockstep.testing.Warnings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A writer whose file system fails, stalls or is full keeps accepting rows and records what is
 * lost.
 */
@Timeout(60)
class DigestWriterFaultsTest {

    private static final Duration NEVER = Duration.ofDays(1);

    /** Space for about ten rows. */
    private static final long FEW_BYTES = 2048;

    @TempDir private Path directory;

    private final FaultyFileSystem.Control disk = FaultyFileSystem.create();

    /** {@code BROKEN} throws an {@link Error}, which would end an unprepared thread. */
    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"READ_ONLY", "BROKEN"})
    void writesWhatCameMeanwhileWhenTheFileSystemWorksAgain(Mode fault) throws Exception {
        disk.set(fault);
        try (Warnings warnings = Warnings.of(DigestWriter.class);
                DigestWriter writer = writer(NEVER, 1 << 20)) {
            for (int i = 0; i < 3; i++) {
                writer.add(DigestRows.served("train", 0, i));
                assertFails(writer);
            }
            assertThat(warnings.messages()).hasSize(1);
            assertThat(warnings.messages().get(0))
                    .contains(run().root() + "/digests", "Training goes on");
            assertThat(writer.problem().orElseThrow()).contains("digests: off");
            disk.set(Mode.HEALTHY);
            writer.whenDurable().get();
            assertThat(writer.problem()).isEmpty();
            assertThat(warnings.messages().get(1)).contains("again", "lost since the start: 0");
        }
        assertThat(archive().lookup("train", 0, 2)).isPresent();
        assertThat(archive().proof("train")).isEqualTo(new StreamProof(3, List.of()));
    }

    @Test
    void doesNotWaitToBeToldThatTheFileSystemWorksAgain() throws Exception {
        disk.set(Mode.READ_ONLY);
        try (DigestWriter writer = writer(Duration.ofMillis(5), 1 << 20)) {
            long rows = writer.add(DigestRows.served("train", 0, 1));
            while (writer.problem().isEmpty()) {
                Thread.onSpinWait();
            }
            disk.set(Mode.HEALTHY);
            while (writer.settled() < rows) {
                Thread.onSpinWait();
            }
            assertThat(archive().lookup("train", 0, 1)).isPresent();
        }
    }

    @Test
    void writesTheStepsThatDidNotFitIntoMemoryAsGaps() throws Exception {
        disk.set(Mode.READ_ONLY);
        try (DigestWriter writer = writer(NEVER, FEW_BYTES)) {
            for (int step = 0; step < 50; step++) {
                writer.add(DigestRows.served("train", 1, step));
            }
            writer.add(DigestRows.served("eval", 7, 3));
            assertFails(writer);
            assertThat(writer.lostDigests()).isPositive();
            assertThat(writer.unwrittenGaps())
                    .isEqualTo(writer.lostDigests() / DigestRows.LANES.size());
            disk.set(Mode.HEALTHY);
            writer.whenDurable().get();
            assertThat(writer.unwrittenGaps()).isZero();
            writer.add(DigestRows.served("train", 1, 50));
        }
        StreamProof proof = archive().proof("train");
        assertThat(proof.recorded() + proof.lost()).isEqualTo(51);
        assertThat(proof.gaps()).containsExactly(new Gap("train", 1, proof.recorded() - 1, 49));
        assertThat(archive().proof("eval").gaps()).containsExactly(new Gap("eval", 7, 3, 3));
    }

    @Test
    void isNotHeldUpByAFileSystemThatStalls() throws Exception {
        disk.set(Mode.STALLED);
        DigestWriter writer = writer(Duration.ofMillis(1), FEW_BYTES);
        try (Warnings warnings = Warnings.of(DigestWriter.class)) {
            int step = 0;
            while (writer.problem().isEmpty() || writer.lostDigests() == 0) {
                writer.add(DigestRows.served("train", 0, step));
                step++;
            }
            writer.writeSoon();
            assertThat(writer.problem().orElseThrow()).contains("no answer for");
            writer.close(Duration.ofMillis(1));
            assertThat(warnings.messages().get(0)).contains(run().root() + "/digests");
        }
        disk.set(Mode.HEALTHY);
        writer.close();
        assertThat(archive().lookup("train", 0, 0)).isPresent();
        assertThat(archive().proof("train").gaps()).hasSize(1);
    }

    @Test
    void namesAFullDiskAndGoesOnWhenThereIsRoom() throws Exception {
        RunDirectory run = new RunDirectory(directory.toString());
        try (SmallDisk small = SmallDisk.mount(directory)) {
            try (DigestWriter writer = new DigestWriter(run, DigestRetention.KEEP, NEVER)) {
                small.fill();
                writer.add(DigestRows.served("train", 0, 0));
                assertThatThrownBy(() -> writer.whenDurable().get())
                        .hasMessageContaining(directory + "/digests")
                        .hasMessageContaining("No space left on device");
                small.free();
                writer.whenDurable().get();
                small.readOnly(true);
                writer.add(DigestRows.served("train", 0, 1));
                assertThatThrownBy(() -> writer.whenDurable().get())
                        .hasMessageContaining("Read-only file system");
                small.readOnly(false);
            }
            assertThat(new DigestArchive(run).proof("train").recorded()).isEqualTo(2);
        }
    }

    /** A longer file needs at least as much additional space as the one that it replaces. */
    @Test
    void writesTheRestAloneWhereThereIsLittleRoom() throws Exception {
        RunDirectory run = new RunDirectory(directory.toString());
        try (SmallDisk ignored = SmallDisk.mount(directory);
                DigestWriter writer = new DigestWriter(run, DigestRetention.KEEP, NEVER)) {
            DigestRows.consumed(1, 0, 0, 8_000).forEach(writer::add);
            writer.whenDurable().get();
            DigestRows.consumed(1, 0, 8_000, 14_000).forEach(writer::add);
            assertFails(writer);
            writer.whenDurable().get();
            assertThat(new DigestArchive(run).proof("train").recorded()).isEqualTo(14_000);
        }
    }

    @Test
    void saysOnADiskThatStaysFullWhatIsLostAtTheEnd() throws Exception {
        RunDirectory run = new RunDirectory(directory.toString());
        try (SmallDisk small = SmallDisk.mount(directory)) {
            try (DigestWriter writer = new DigestWriter(run, DigestRetention.KEEP, NEVER)) {
                DigestRows.consumed(1, 0, 0, 10).forEach(writer::add);
                writer.whenDurable().get();
                small.fill();
                DigestRows.consumed(1, 0, 10, 5_000).forEach(writer::add);
            }
            assertThat(new DigestArchive(run).proof("train"))
                    .isEqualTo(new StreamProof(10, List.of(new Gap("train", 0, 10, 4_999))));
        }
    }

    private RunDirectory run() {
        return new RunDirectory(disk.uri(directory));
    }

    private DigestArchive archive() {
        return new DigestArchive(run());
    }

    private DigestWriter writer(Duration delay, long maxBytes) {
        return new DigestWriter(
                run(), DigestRetention.KEEP, new Limits(delay, Duration.ofMillis(1), maxBytes));
    }

    private static void assertFails(DigestWriter writer) {
        assertThatThrownBy(() -> writer.whenDurable().get()).hasCauseInstanceOf(IOException.class);
    }
}
