package io.lockstep.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.Shard;
import io.lockstep.testing.ObjectStoreFileSystem;
import io.lockstep.testing.TestObjectStore;
import io.lockstep.testing.TestParquet;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Plans and reads a dataset in an object store through Flink's S3 plugin. */
class ObjectStoreTest {

    private static final String WIDE =
            "message m { required int64 id; required binary blob; required double last; }";
    private static final int BLOB = 50_000;

    @RegisterExtension private final ObjectStoreFileSystem objects = new ObjectStoreFileSystem();

    @Test
    @DisabledForJreRange(min = JRE.JAVA_24, disabledReason = "Hadoop in the plugin needs less")
    void isPlannedAndReadByRanges() throws IOException {
        for (String name :
                List.of("train/b.parquet", "train/deep/a.parquet", "train/_x/c.parquet")) {
            TestParquet.write(
                    objects.directory().resolve(name),
                    WIDE,
                    150,
                    (g, i) ->
                            g.append("id", (long) i)
                                    .append("blob", "x".repeat(BLOB) + i)
                                    .append("last", i / 2.0));
        }
        Manifest manifest = plan("s3://bucket/train");
        assertThat(manifest.shards())
                .extracting(Shard::path)
                .containsExactly("b.parquet", "deep/a.parquet");
        assertThat(manifest.digest()).isEqualTo(planLocally().digest());
        objects.store().requests().clear();
        RowGroupReader reader = new RowGroupReader(manifest, List.of("last", "id"));
        try (BufferAllocator allocator = Allocators.root(1 << 28);
                VectorSchemaRoot root = reader.read(3, allocator)) {
            assertThat(root.getRowCount()).isEqualTo(50);
            assertThat(root.getVector("last").getObject(49)).isEqualTo(74.5);
        }
        assertThat(objects.store().requests())
                .allMatch(r -> r.key().equals("train/deep/a.parquet"))
                .allMatch(r -> r.end() - r.begin() <= BLOB * 2)
                .hasSizeLessThan(4);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24)
    void isRefusedWithTheJavaToTake() {
        assertThatThrownBy(() -> plan("s3://bucket/train"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("s3://bucket/train does not work with this Java")
                .hasMessageContaining("start it with a JDK 17 or 21");
    }

    @Test
    @DisabledForJreRange(min = JRE.JAVA_24, disabledReason = "Hadoop in the plugin needs less")
    void isRefusedInWords() {
        assertThatThrownBy(() -> plan("s3://bucket/nowhere"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("There is nothing at s3://bucket/nowhere");
    }

    @Test
    @DisabledForJreRange(min = JRE.JAVA_24, disabledReason = "Hadoop in the plugin needs less")
    void namesABucketThatDoesNotExist() {
        assertThatThrownBy(() -> plan("s3://" + TestObjectStore.MISSING + "/train"))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "s3://missing/train cannot be accessed: The specified bucket does not"
                                + " exist");
    }

    private static Manifest plan(String data) throws IOException {
        return ManifestPlanner.plan(List.of(data), Progress.NONE);
    }

    private Manifest planLocally() throws IOException {
        return plan(objects.directory().resolve("train").toString());
    }
}
