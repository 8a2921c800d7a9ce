package io.lockstep.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Manifests of files that do not exist. */
public final class TestManifests {

    private TestManifests() {}

    /**
     * Returns a manifest with files of 1,000 row groups each.
     *
     * @param columns the number of columns of 64-bit integers
     */
    public static Manifest large(int rowGroups, long rowsOfGroup, int columns) {
        List<Shard> shards = new ArrayList<>();
        List<RowGroup> groups = new ArrayList<>();
        for (int group = 0; group < rowGroups; group++) {
            if (group % 1000 == 0) {
                String path = String.format("part-%05d.parquet", shards.size());
                shards.add(new Shard(path, "/none/" + path, 1 << 20, 0, "0", null, null));
            }
            groups.add(new RowGroup(shards.size() - 1, group % 1000, rowsOfGroup, 1 << 10));
        }
        List<Field> fields =
                IntStream.range(0, columns)
                        .mapToObj(i -> Field.nullable("c" + i, new ArrowType.Int(64, true)))
                        .toList();
        return new Manifest(
                "/none",
                shards,
                groups,
                fields,
                List.of(),
                List.of(),
                List.of(),
                new long[rowGroups][0]);
    }
}
