package io.lockstep.materialize;

import io.lockstep.batch.Gather;
import io.lockstep.batch.RowSource;
import io.lockstep.batch.StepBatch;
import io.lockstep.transform.StepSamples;
import io.lockstep.transform.TransformChain;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.TransferPair;

/**
 * Makes the batch of a step: gathers rows of stored row groups, then runs the transforms of
 * batches. Immutable and thread-safe.
 */
final class StepGather {

    private final Gather stored;
    private final Gather served;
    private final TransformChain transforms;

    /**
     * @param stored gathers from stored row groups
     * @param served gathers from transformed rows; the same without transforms
     * @param transforms of batches
     */
    StepGather(Gather stored, Gather served, TransformChain transforms) {
        this.stored = stored;
        this.served = served;
        this.transforms = transforms;
    }

    /** The bytes that a batch has for alignment, at most. */
    long paddingBytes() {
        return transforms.isEmpty()
                ? stored.paddingBytes()
                : stored.paddingBytes() + served.paddingBytes();
    }

    /**
     * Makes a batch; see {@link Gather#gather}.
     *
     * @param samples by row of the batch
     */
    StepBatch gather(
            List<RowSource> sources,
            int[] source,
            int[] row,
            StepSamples samples,
            byte[] weights,
            BufferAllocator allocator) {
        StepBatch gathered = stored.gather(sources, source, row, samples.ids(), weights, allocator);
        if (transforms.isEmpty()) {
            return gathered;
        }
        try (gathered;
                VectorSchemaRoot transformed =
                        transforms.apply(columns(gathered, allocator), samples, allocator)) {
            int rows = row.length;
            return served.gather(
                    List.of(served.source(transformed)),
                    new int[rows],
                    IntStream.range(0, rows).toArray(),
                    samples.ids(),
                    weights,
                    allocator);
        }
    }

    /** The data's columns of a batch, which share its memory; the caller closes them. */
    private VectorSchemaRoot columns(StepBatch batch, BufferAllocator allocator) {
        List<FieldVector> columns = new ArrayList<>();
        for (FieldVector vector : stored.columns(batch.root())) {
            TransferPair pair = vector.getTransferPair(vector.getField(), allocator);
            pair.splitAndTransfer(0, vector.getValueCount());
            columns.add((FieldVector) pair.getTo());
        }
        return new VectorSchemaRoot(columns);
    }
}
