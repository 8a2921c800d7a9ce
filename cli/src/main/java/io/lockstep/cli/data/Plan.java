package io.lockstep.cli.data;

import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.Shard;
import io.lockstep.materialize.Content;
import io.lockstep.order.LaneEpoch;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.WindowNeeds;
import io.lockstep.source.StreamSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What a run makes of a dataset.
 *
 * @param bytes of all files
 * @param schema of the chosen columns
 * @param mixedRowGroups the most that a batch can mix
 * @param windowBytes of the row groups that all lanes together pin in caches, at most
 * @param decodedBytes of the chosen columns of the whole dataset
 * @param stepBytes of one step of all lanes, on average
 */
public record Plan(
        int files,
        long rows,
        int rowGroups,
        long bytes,
        Schema schema,
        OrderSettings settings,
        long steps,
        long mixedRowGroups,
        long windowBytes,
        long decodedBytes,
        long stepBytes,
        String manifest,
        String fingerprint) {

    public static Plan of(PlannedStream planned) {
        Manifest manifest = planned.manifest();
        StreamSpec spec = planned.spec();
        Content content = planned.content();
        // Refuses what no batch can hold; a run would refuse it too.
        content.gather();
        Order order = planned.order();
        List<Integer> lanes = IntStream.range(0, spec.order().lanes()).boxed().toList();
        long decoded =
                IntStream.range(0, manifest.rowGroups().size())
                        .mapToLong(content::decodedBytes)
                        .sum();
        return new Plan(
                manifest.shards().size(),
                manifest.rows(),
                manifest.rowGroups().size(),
                manifest.shards().stream().mapToLong(Shard::length).sum(),
                content.schema(),
                spec.order(),
                order.steps(),
                mixed(order, manifest),
                WindowNeeds.bytes(order, lanes, content::decodedBytes),
                decoded,
                (long) ((double) decoded / manifest.rows() * spec.order().batch()),
                manifest.digest(),
                order.fingerprint(manifest.digest()));
    }

    /** The sum of the lanes' largest windows: a row group of two lanes counts once at the end. */
    private static long mixed(Order order, Manifest manifest) {
        long slices = 0;
        for (int lane = 0; lane < order.settings().lanes(); lane++) {
            LaneEpoch epoch = order.laneEpoch(0, lane);
            slices += epoch.windows().stream().mapToInt(w -> w.slices().size()).max().orElse(0);
        }
        long withRows = manifest.rowGroups().stream().filter(group -> group.rows() > 0).count();
        return Math.min(Math.min(slices, withRows), order.settings().batch());
    }
}
