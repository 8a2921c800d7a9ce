package io.lockstep.cli.data;

import io.lockstep.Plural;
import io.lockstep.cli.console.GivenPaths;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.runfile.Hint;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.Shard;
import java.util.List;
import java.util.stream.IntStream;

/** Finds the sample id of a row of a file. */
public final class SampleOfRow {

    private SampleOfRow() {}

    /**
     * @param file a shard's path, relative or complete, or an unambiguous suffix of one
     * @param row zero-based within the file
     * @throws UsageException if there is no such file or row
     */
    public static long find(Dataset dataset, String file, long row) {
        Manifest manifest = dataset.manifest();
        int shard = shard(manifest, file);
        return dataset.sample(shard, row)
                .orElseThrow(
                        () ->
                                new UsageException(
                                        manifest.shards().get(shard).path()
                                                + " has "
                                                + Plural.of(rows(manifest, shard), "row")
                                                + " and no row "
                                                + row
                                                + "; rows count from 0"));
    }

    private static long rows(Manifest manifest, int shard) {
        return manifest.rowGroups().stream()
                .filter(group -> group.shard() == shard)
                .mapToLong(RowGroup::rows)
                .sum();
    }

    private static int shard(Manifest manifest, String file) {
        List<Shard> shards = manifest.shards();
        String absolute = GivenPaths.absolute(file);
        for (int i = 0; i < shards.size(); i++) {
            Shard shard = shards.get(i);
            if (shard.path().equals(file)
                    || shard.location().equals(file)
                    || shard.location().replaceFirst("^file:(//)?", "").equals(absolute)) {
                return i;
            }
        }
        int[] endings =
                IntStream.range(0, shards.size())
                        .filter(i -> shards.get(i).path().endsWith("/" + file))
                        .toArray();
        if (endings.length == 1) {
            return endings[0];
        }
        String trouble =
                endings.length > 1
                        ? ": " + endings.length + " files end in it; write more of the path"
                        : Hint.of(file, shards.stream().map(Shard::path).toList());
        throw new UsageException("the dataset has no file '" + file + "'" + trouble);
    }
}
