package io.lockstep.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.order.Specification;
import io.lockstep.testing.TestParquet;
import io.lockstep.testing.TestPython;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the digest with the specification's, and with one that Python computes from files. */
class ManifestDigestTest {

    @TempDir private Path directory;

    @Test
    void isThatOfTheGoldenVector() {
        JsonNode vector = Specification.golden().get("manifest");
        List<Shard> shards = new ArrayList<>();
        List<RowGroup> rowGroups = new ArrayList<>();
        for (JsonNode group : vector.get("row_groups")) {
            // Per row group: its number in the file, rows, the file's length, footer and path.
            String path = group.get(4).asText();
            if (shards.isEmpty() || !shards.get(shards.size() - 1).path().equals(path)) {
                shards.add(
                        new Shard(
                                path,
                                path,
                                group.get(2).asLong(),
                                0,
                                group.get(3).asText(),
                                null,
                                null));
            }
            rowGroups.add(
                    new RowGroup(
                            shards.size() - 1, group.get(0).asInt(), group.get(1).asLong(), 0));
        }
        assertThat(ManifestDigest.of(shards, rowGroups)).isEqualTo(vector.get("digest").asText());
    }

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
