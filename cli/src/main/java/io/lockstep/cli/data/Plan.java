package io.lockstep.cli.data;

import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FooterProgress.Skipped;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.Shard;
import io.lockstep.materialize.Content;
import io.lockstep.order.LaneEpoch;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.WindowNeeds;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.FittedValues;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Sizes that follow from a dataset and an order.
 *
 * @param rows of the dataset
 * @param keptRows that no filter leaves out
 * @param bytes of all files
 * @param columns all columns of the dataset, the chosen ones first
 * @param chain the transforms, in order
 * @param statistics of the transforms
 * @param refusal why a run with these columns is refused; null if it is not
 * @param mixedRowGroups the most row groups that one batch can mix
 * @param windowBytes the most bytes of row groups that all lanes together pin in caches
 * @param decodedBytes of the chosen columns of the whole dataset
 * @param stepBytes average size of one step of all lanes
 * @param notes what a user may not expect, one sentence each
 * @param skipped files that do not belong to the dataset
 */
public record Plan(
        int files,
        long rows,
        long keptRows,
        int rowGroups,
        long bytes,
        List<PlannedColumn> columns,
        List<PlannedTransform> chain,
        FittedValues statistics,
        @Nullable UserException refusal,
        OrderSettings settings,
        long steps,
        long mixedRowGroups,
        long windowBytes,
        long decodedBytes,
        long stepBytes,
        String manifest,
        String fingerprint,
        List<String> notes,
        List<Skipped> skipped) {

    /**
     * Works out the sizes, fits transforms, and tries those that run functions of the user.
     *
     * @throws UserException if the run would be refused
     */
    public static Plan of(PlannedStream planned, Console console) throws IOException {
        Manifest manifest = planned.manifest();
        StreamSpec spec = planned.spec();
        UserException refusal = refusal(planned);
        PlannedStream fitted = refusal == null ? planned.fitted(console) : planned;
        Content content = refusal == null ? fitted.content() : readable(planned);
        // Rejects steps that no batch can hold, as a run does.
        content.served();
        if (refusal == null) {
            content.tryTransforms();
        }
        Order order = planned.order();
        List<Integer> lanes = IntStream.range(0, spec.order().lanes()).boxed().toList();
        long decoded =
                IntStream.range(0, manifest.rowGroups().size())
                        .mapToLong(content::decodedBytes)
                        .sum();
        return new Plan(
                manifest.shards().size(),
                manifest.rows(),
                order.totalRows(),
                manifest.rowGroups().size(),
                manifest.shards().stream().mapToLong(Shard::length).sum(),
                PlannedColumn.of(manifest, spec.schema(), content),
                PlannedTransform.of(spec, content.columns()),
                fitted.statistics(),
                refusal,
                spec.order(),
                order.steps(),
                mixed(order),
                WindowNeeds.bytes(order, lanes, content::decodedBytes),
                decoded,
                (long) ((double) decoded / order.totalRows() * spec.order().batch()),
                manifest.digest(),
                order.fingerprint(manifest.digest()),
                notes(spec.order()),
                planned.skipped());
    }

    private static long mixedInSequence(Order order) {
        int batch = order.settings().batch();
        long most = 0;
        long inStep = 0;
        long step = -1;
        long position = 0;
        for (int group = 0; group < order.rowGroups(); group++) {
            if (order.rows(group) > 0) {
                inStep = position / batch == step ? inStep + 1 : 1;
                most = Math.max(most, inStep);
                position += order.rows(group);
                long last = (position - 1) / batch;
                inStep = last == step ? inStep : 1;
                step = last;
            }
        }
        return most;
    }

    /** Without chosen columns, a column that cannot be read is listed all the same. */
    @Nullable
    private static UserException refusal(PlannedStream planned) {
        if (!planned.spec().columns().isEmpty() || readableNames(planned).isEmpty()) {
            return null;
        }
        try {
            planned.manifest().select(List.of(), planned.spec().schema());
            return null;
        } catch (UserException e) {
            return e;
        }
    }

    private static Content readable(PlannedStream planned) {
        StreamSpec spec = planned.spec();
        return new Content(planned.dataset(), readableNames(planned), spec.schema(), spec.chain());
    }

    private static List<String> readableNames(PlannedStream planned) {
        return planned.manifest().columns(planned.spec().schema()).stream()
                .map(Field::getName)
                .toList();
    }

    private static List<String> notes(OrderSettings order) {
        if (order.lanes() == 1) {
            return order.warning().stream().toList();
        }
        if (order.shuffle() != Shuffle.NONE) {
            return List.of();
        }
        return List.of(
                "shuffle: none keeps the order of the rows within each lane; a batch holds rows of"
                        + " all "
                        + order.lanes()
                        + " lanes, from as many places of the dataset. Use shuffle: sequential for"
                        + " batches of consecutive rows.");
    }

    /**
     * The sum of the lanes' largest windows, or the row groups of a sequential batch. The number of
     * row groups with rows and the batch size limit it.
     */
    private static long mixed(Order order) {
        if (order.settings().shuffle() == Shuffle.SEQUENTIAL) {
            return mixedInSequence(order);
        }
        long slices = 0;
        for (int lane = 0; lane < order.settings().lanes(); lane++) {
            LaneEpoch epoch = order.laneEpoch(0, lane);
            slices += epoch.windows().stream().mapToInt(w -> w.slices().size()).max().orElse(0);
        }
        long withRows =
                IntStream.range(0, order.rowGroups())
                        .filter(group -> order.rows(group) > 0)
                        .count();
        return Math.min(Math.min(slices, withRows), order.settings().batch());
    }
}
