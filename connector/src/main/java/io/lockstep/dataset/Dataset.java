package io.lockstep.dataset;

import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import java.util.List;
import java.util.OptionalLong;

/**
 * A sealed dataset within a stream. A sample's id in the stream is the dataset's first id plus the
 * sample's id in the dataset, so that a stream can have several datasets, each with ids of its own.
 *
 * @param manifest the files and row groups
 * @param firstSample the id of its first sample
 */
public record Dataset(Manifest manifest, long firstSample) {

    /** Creates the only dataset of a stream. */
    public static Dataset only(Manifest manifest) {
        return new Dataset(manifest, 0);
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
        return EpochTable.constant(order.steps(), manifest.rows(), version());
    }

    /** The order over it. */
    public Order order(OrderSettings settings) {
        return new Order(settings, manifest.rowGroupRows());
    }
}
