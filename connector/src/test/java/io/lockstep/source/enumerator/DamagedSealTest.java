package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.manifest.Progress;
import io.lockstep.run.StreamSeal;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.testing.TestParquet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run directory whose seals or manifests are damaged. */
class DamagedSealTest {

    @TempDir private Path directory;

    private TestRun run;
    private StreamInfo sealed;
    private StreamSeal seal;
    private Path streamFile;
    private Path manifestFile;

    @BeforeEach
    void sealIt() throws Exception {
        run = TestRun.in(directory, 2);
        sealed = seal().get(0);
        seal = run.directory().readStream("train").orElseThrow();
        streamFile = directory.resolve("run/streams/train.json");
        manifestFile = directory.resolve("run/manifests/" + seal.manifest() + ".json.gz");
    }

    private List<StreamInfo> seal() throws Exception {
        return new StreamSealer(run.directory(), Progress.NONE)
                .seal(List.of(run.stream()), Map.of());
    }

    @Test
    void bothAreRebuiltFromTheSameDataset() throws Exception {
        Files.writeString(streamFile, "");
        assertThat(seal()).containsExactly(sealed);
        assertThat(run.directory().readStream("train")).contains(seal);

        Files.write(manifestFile, new byte[0]);
        assertThat(seal()).containsExactly(sealed);
        assertThat(new ManifestStore(run.directory().manifests()).load(seal.manifest()).digest())
                .isEqualTo(seal.manifest());
    }

    @Test
    void aDatasetThatHasChangedDoesNotTakeItsPlace() throws Exception {
        TestParquet.write(directory.resolve("data/part-1.parquet"), 60);

        Files.writeString(streamFile, "{\"version\": 1");
        assertThatThrownBy(this::seal)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("streams/train.json cannot be read")
                .hasMessageContaining("has changed since it was sealed");

        run.directory().writeStream("train", seal);
        Files.write(manifestFile, new byte[0]);
        assertThatThrownBy(this::seal)
                .isInstanceOf(UserException.class)
                .hasMessageContaining(manifestFile.getFileName().toString())
                .hasMessageContaining("has changed since it was sealed");
    }
}
