package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.Evidence;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Transport;
import io.lockstep.run.CommitReport;
import io.lockstep.run.GenerationEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run of release 0.1, with its dataset and a savepoint: two readers had served steps 0 to 2 to
 * two ranks, and both ranks had committed step 3. Later releases, whatever format they write,
 * restore from it.
 */
@Timeout(120)
class EarlierReleaseTest {

    /** The dataset's path and modification time in the stored manifest. */
    private static final String KEPT_DATA = "file:/kept/data";

    private static final FileTime CHANGED = FileTime.fromMillis(1_700_000_000_000L);

    @RegisterExtension private final TrainingCluster flink = new TrainingCluster(1, 1);

    @TempDir private Path temporary;

    @Test
    void aRunGoesOnFromItsSavepointAndDirectory(TestJob fresh) throws Exception {
        Path directory = unpack();
        TestJob job = fresh.in(directory);
        assertThat(job.run().readGeneration()).map(GenerationEntry::generation).contains(1L);
        assertThat(job.run().commits().readAll())
                .extracting(CommitReport::rank, CommitReport::step)
                .containsExactlyInAnyOrder(tuple(0, 3L), tuple(1, 3L));

        JobClient restored = job.start(1, directory.resolve("savepoint").toUri().toString());
        try (TestTrainer trainer = job.trainer("next", 0, 1, Transport.FLIGHT)) {
            assertThat(trainer.generation()).isEqualTo(2);
            Reply.Resumed committed = trainer.resume();
            assertThat(committed.state()).isEqualTo("{\"step\":3}");
            assertThat(committed.world()).isEqualTo(2);
            for (long step = 0; step < 6; step++) {
                assertThat(trainer.step("train", 0, step))
                        .isEqualTo(job.expected("train", 0, 4, 0, step));
            }
            trainer.finish();
        }
        restored.getJobExecutionResult().get();
        assertTheSameWasServedAgain(new DigestArchive(job.run()));
    }

    private static void assertTheSameWasServedAgain(DigestArchive digests) throws IOException {
        for (long step = 0; step < 3; step++) {
            var lanes = digests.lookup("train", 0, step).orElseThrow().lanes();
            assertThat(lanes.keySet()).containsExactly(0, 1, 2, 3);
            for (var lane : lanes.values()) {
                assertThat(lane).extracting(Evidence::generation).containsExactly(1L, 2L);
                assertThat(lane).extracting(Evidence::digest).containsOnly(lane.first().digest());
            }
        }
    }

    /** Unpacks the stored files into a directory and puts its path into the manifest. */
    private Path unpack() throws Exception {
        Path kept = Path.of(getClass().getResource("/io/lockstep/release-0.1").toURI());
        Path directory = temporary.resolve("release");
        FileUtils.copy(
                new org.apache.flink.core.fs.Path(kept.toUri()),
                new org.apache.flink.core.fs.Path(directory.toUri()),
                false);
        for (Path shard : files(directory.resolve("data"))) {
            Files.setLastModifiedTime(shard, CHANGED);
        }
        for (Path manifest : files(directory.resolve("run/manifests"))) {
            String data = directory.resolve("data").toUri().toString().replaceFirst("/+$", "");
            Files.write(
                    manifest, zip(unzip(Files.readAllBytes(manifest)).replace(KEPT_DATA, data)));
        }
        return directory;
    }

    private static List<Path> files(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.toList();
        }
    }

    private static String unzip(byte[] bytes) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] zip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
