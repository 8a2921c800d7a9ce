package io.lockstep.dataset;

import io.lockstep.Plural;
import io.lockstep.filter.KeptRows;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.order.Order;
import io.lockstep.order.OrderException;
import io.lockstep.order.OrderSettings;
import java.util.List;
import java.util.OptionalLong;
import javax.annotation.Nullable;

/**
 * A sealed dataset within a stream. A sample's id in the stream is the dataset's first id plus the
 * sample's id in the dataset, so that a stream can have several datasets, each with ids of its own.
 * Rows that are left out have ids too; the order counts the others only.
 *
 * @param manifest the files and row groups
 * @param firstSample the id of its first sample
 * @param kept the rows that are not left out; null if none is
 */
public record Dataset(Manifest manifest, long firstSample, @Nullable KeptRows kept) {

    /** A dataset of which no rows are left out. */
    public Dataset(Manifest manifest, long firstSample) {
        this(manifest, firstSample, null);
    }

    /** Creates the only dataset of a stream, with all of its rows. */
    public static Dataset only(Manifest manifest) {
        return new Dataset(manifest, 0);
    }

    /**
     * Creates the only dataset of a stream.
     *
     * @param kept the rows that are not left out; null if none is
     */
    public static Dataset only(Manifest manifest, @Nullable KeptRows kept) {
        return new Dataset(manifest, 0, kept);
    }

    /** The rows of a row group that are not left out. */
    public long rows(int rowGroup) {
        return kept == null ? manifest.rowGroups().get(rowGroup).rows() : kept.of(rowGroup);
    }

    /** The rows that are not left out. */
    public long rows() {
        return kept == null ? manifest.rows() : kept.total();
    }

    /** The id in the stream of the first row of a row group, whether it is left out or not. */
    public long firstSampleOf(int rowGroup) {
        return firstSample + manifest.firstRow(rowGroup);
    }

    /** Identifies the content: the manifest's digest. */
    public String version() {
        return manifest.digest();
    }

    /** The id in the stream of a sample of this dataset. */
    public long sample(long inDataset) {
        return firstSample + inDataset;
    }

    /**
     * The id of a row of a file; empty if the file has no such row.
     *
     * @param shard the file's index in the manifest
     * @param row counted from 0 within the file
     */
    public OptionalLong sample(int shard, long row) {
        long inDataset = 0;
        long inFile = 0;
        for (RowGroup group : manifest.rowGroups()) {
            if (group.shard() == shard) {
                if (row >= inFile && row < inFile + group.rows()) {
                    return OptionalLong.of(sample(inDataset + row - inFile));
                }
                inFile += group.rows();
            }
            inDataset += group.rows();
        }
        return OptionalLong.empty();
    }

    /** The rows of the same file that precede a row group. */
    public long rowsBefore(int rowGroup) {
        List<RowGroup> groups = manifest.rowGroups();
        int shard = groups.get(rowGroup).shard();
        long before = 0;
        for (int i = rowGroup - 1; i >= 0 && groups.get(i).shard() == shard; i--) {
            before += groups.get(i).rows();
        }
        return before;
    }

    /**
     * A table of epochs that each read all of this dataset.
     *
     * @param order over it
     */
    public EpochTable epochs(Order order) {
        return EpochTable.constant(order.steps(), rows(), version());
    }

    /**
     * The order over its rows.
     *
     * @throws OrderException if they do not fill a single step, or some lane has no rows
     */
    public Order order(OrderSettings settings) {
        if (kept == null) {
            return new Order(settings, manifest.rowGroupRows());
        }
        String of = " of the dataset's " + Plural.of(manifest.rows(), "row");
        if (kept.total() == 0) {
            throw new OrderException(
                    kept.selection() + " keeps none" + of + ": choose another one");
        }
        try {
            return new Order(settings, kept.counts());
        } catch (OrderException e) {
            throw new OrderException(
                    e.getMessage() + " (" + kept.selection() + " keeps " + kept.total() + of + ")");
        }
    }
}
