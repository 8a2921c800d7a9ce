package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import io.lockstep.manifest.Progress;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.transform.TransformSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statistics of transforms: a command computes and seals them, a job only reads them. */
class FittedSealTest {

    @TempDir private Path directory;
    private TestRun run;

    @BeforeEach
    void prepare() throws IOException {
        run = TestRun.in(directory, 2);
    }

    private StreamInfo seal(boolean command) throws IOException {
        TransformSpec standardize =
                new TransformSpec("scaled", "standardize", "{\"columns\": \"id\"}");
        return new StreamSealer(run.directory(), Progress.NONE, command)
                .seal(List.of(run.stream().with(List.of(standardize))), Map.of())
                .get(0);
    }

    private Path statistics() throws IOException {
        try (var files = Files.list(directory.resolve("run/manifests"))) {
            return files.filter(file -> file.toString().endsWith(".fitted"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aJobComputesNoStatistics() {
        assertThatThrownBy(() -> seal(false))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(
                        "has transforms with statistics of its rows, which the run directory ")
                .hasMessageContaining("'lockstep plan RUN.yaml --seal'");
        assertThat(directory.resolve("run/streams")).doesNotExist();
    }

    @Test
    void sealedStatisticsAreUsedThoughTheFilesAreGone() throws IOException {
        StreamInfo info = seal(true);
        Files.delete(directory.resolve("data/part-0.parquet"));
        assertThat(seal(false)).isEqualTo(info);
        assertThat(seal(true)).isEqualTo(info);
    }

    @Test
    void theyArePartOfTheIdentity() throws IOException {
        seal(true);
        // The ids are 0 to 59.
        assertThat(run.directory().readStream("train").orElseThrow().transforms().get("scaled"))
                .isEqualTo(
                        "standardize/1 {\"columns\": \"id\"} fitted {id=count=60 mean=29.5"
                                + " variance=299.9166666666667 min=0.0 max=59.0}");
    }

    @Test
    void aCommandComputesDamagedStatisticsAgain() throws IOException {
        StreamInfo info = seal(true);
        byte[] whole = Files.readAllBytes(statistics());
        for (int length : new int[] {0, 31, whole.length - 1}) {
            Files.write(statistics(), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> seal(false))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageStartingWith("the statistics of transforms ");
            assertThat(seal(true)).isEqualTo(info);
            assertThat(statistics()).hasBinaryContent(whole);
        }
    }
}
