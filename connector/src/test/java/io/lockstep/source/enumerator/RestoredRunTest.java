package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.run.CommitReport;
import io.lockstep.run.JobEntry;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import io.lockstep.run.StreamSeal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints restored into the directory of another run leave that run unchanged. */
class RestoredRunTest {

    /** The run's own commit: its first entry, at step 3. */
    private static final CommitReport OWN = report(1, 3);

    /** A job that serves the run at the same time. */
    private static final String SERVING = "serving";

    @TempDir private Path directory;

    private RunDirectory run;
    private TestRun files;
    private StreamSeal seal;

    @BeforeEach
    void aRunThatHasCommitted() throws Exception {
        files = TestRun.in(directory, 6);
        run = files.directory();
        start(null);
        seal = run.readStream("train").orElseThrow();
        run.commits().write(OWN);
        run.job().write(SERVING, JobEntry.State.RUNNING);
        run.job().beat(SERVING);
        run.writeSink(new SinkEntry(0, "grpc://host:1", "host", 0, "task", Map.of()));
    }

    private SimulatedReaders start(EnumeratorState restored) {
        return files.start(1, restored);
    }

    @Test
    void theOwnCheckpointGoesOn() throws Exception {
        start(checkpoint("train", seal.manifest(), seal.fingerprint(), report(2, 9)));

        assertThat(run.commits().readAll()).containsExactly(OWN, report(2, 9));
    }

    @Test
    void itTakesTheRunOverOnceTheLanesAreDealt() throws Exception {
        start(checkpoint("train", seal.manifest(), seal.fingerprint(), OWN));

        assertThat(run.job().read().orElseThrow().job()).isNotEqualTo(SERVING);
        assertThat(run.readSinks()).isEmpty();
    }

    @Test
    void anEntryOfTheDirectoryIsNeverReplaced() throws Exception {
        start(checkpoint("train", seal.manifest(), seal.fingerprint(), report(1, 9)));

        assertThat(run.commits().readAll()).containsExactly(OWN);
    }

    @Test
    void anotherDatasetIsRefused() throws Exception {
        isRefused(
                checkpoint("train", "aa", seal.fingerprint(), report(1, 9)),
                "of another dataset than that of the run in");
    }

    @Test
    void anotherOrderIsRefused() throws Exception {
        isRefused(
                checkpoint("train", seal.manifest(), "bb", report(1, 9)),
                "in another order (fingerprint bb) than that of the run in");
    }

    @Test
    void anotherStreamIsRefused() throws Exception {
        isRefused(
                checkpoint("images", seal.manifest(), seal.fingerprint(), report(1, 9)),
                "has the stream 'images', which the run in");
    }

    private void isRefused(EnumeratorState foreign, String why) throws Exception {
        assertThatThrownBy(() -> start(foreign))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(run.root())
                .hasMessageContaining("it is of another run; start from one of this run");
        assertThat(run.commits().readAll()).containsExactly(OWN);
        assertThat(run.job().read()).map(JobEntry::job).contains(SERVING);
        assertThat(run.readSinks()).hasSize(1);
    }

    private static EnumeratorState checkpoint(
            String stream, String manifest, String fingerprint, CommitReport commit) {
        return new EnumeratorState(
                new TreeMap<>(Map.of(stream, manifest)),
                new TreeMap<>(Map.of(stream, fingerprint)),
                1,
                List.of(commit));
    }

    private static CommitReport report(long number, long step) {
        return new CommitReport(number, "train", 1, 1, 0, step, 0, "{}", null);
    }
}
