package io.lockstep.materialize;

import io.lockstep.Plural;
import io.lockstep.UserException;
import io.lockstep.batch.Gather;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import io.lockstep.filter.KeptRows;
import io.lockstep.filter.RowFilter;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.TransferPair;

/** Drops the rows of row groups that a filter does not keep. Thread-safe. */
final class KeptContent {

    private final Manifest manifest;
    private final KeptRows kept;
    private final RowFilter filter;
    private final Gather gather;

    /**
     * @param columns of the kept rows
     * @throws UserException if a column cannot be copied row by row
     */
    KeptContent(Manifest manifest, KeptRows kept, RowFilter filter, Schema columns) {
        this.manifest = manifest;
        this.kept = kept;
        this.filter = filter;
        this.gather = new Gather(Wire.schema(columns));
    }

    /** Rows, and the number of each in its row group. */
    record Rows(VectorSchemaRoot root, int[] numbers) {}

    /**
     * Returns the kept rows of a row group.
     *
     * @param rows all of them, with the columns of the filter too; closed
     * @return the columns of the kept rows, which the caller closes
     * @throws UserException if there are not as many as were counted
     */
    Rows of(int rowGroup, VectorSchemaRoot rows, BufferAllocator allocator) {
        try (rows) {
            int[] numbers = filter.kept(rowGroup, rows, allocator);
            if (numbers.length != kept.of(rowGroup)) {
                RowGroup group = manifest.rowGroups().get(rowGroup);
                throw new UserException(
                        kept.selection()
                                + " keeps "
                                + Plural.of(numbers.length, "row")
                                + " of row group "
                                + group.ordinal()
                                + " of "
                                + manifest.shards().get(group.shard()).location()
                                + ", and "
                                + kept.of(rowGroup)
                                + " were counted when the run was planned: restore the file, or"
                                + " start a new run");
            }
            int[] source = new int[numbers.length];
            long[] samples = new long[numbers.length];
            byte[] weights = new byte[numbers.length];
            try (StepBatch batch =
                    gather.gather(
                            List.of(gather.source(rows)),
                            source,
                            numbers,
                            samples,
                            weights,
                            allocator)) {
                return new Rows(columns(batch, allocator), numbers);
            }
        }
    }

    /** The data's columns, which share the batch's memory. */
    private VectorSchemaRoot columns(StepBatch batch, BufferAllocator allocator) {
        List<FieldVector> columns = new ArrayList<>();
        for (FieldVector vector : gather.columns(batch.root())) {
            TransferPair pair = vector.getTransferPair(vector.getField(), allocator);
            pair.splitAndTransfer(0, vector.getValueCount());
            columns.add((FieldVector) pair.getTo());
        }
        return new VectorSchemaRoot(columns);
    }
}
