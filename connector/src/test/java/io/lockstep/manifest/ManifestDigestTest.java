package io.lockstep.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.testing.TestParquet;
import io.lockstep.testing.TestPython;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the digest with one that Python makes of the files by the specification. */
class ManifestDigestTest {

    @TempDir private Path directory;

    @Test
    void isWhatTheSpecificationSays() throws Exception {
        TestParquet.write(directory.resolve("b/é.parquet"), 350);
        TestParquet.write(directory.resolve("b/z.parquet"), 0);
        TestParquet.write(directory.resolve("a b.parquet"), 1);
        TestParquet.write(directory.resolve("100%.parquet"), 5);
        Manifest manifest = ManifestPlanner.plan(List.of(directory.toString()), Progress.NONE);
        String expected = TestPython.runResource("manifest_digest.py", directory);
        assertThat(manifest.digest()).isEqualTo(expected.strip());
    }
}
