package io.lockstep.transform;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A transform of the rows of a step, run for every step after they were gathered. It may draw
 * random numbers from the streams of {@link StepSamples#random}, and from nothing else: the same
 * step must have the same result whenever and wherever it is made, for any number of ranks. It must
 * keep the number and the order of the rows, and no state.
 *
 * <p>A row of the result may depend on other rows of its lane, not on those of other lanes, which
 * another rank may get.
 */
@PublicEvolving
public non-sealed interface BatchTransform extends Transform {

    /**
     * Transforms the rows of some lanes of a step.
     *
     * @param rows the input, which the caller closes; buffers may be moved to the result, but their
     *     content must not be written
     * @param samples which rows these are
     * @param allocator allocates the result
     * @return rows of {@link #schema}, which the caller closes
     * @throws TransformException if a value cannot be transformed; the message names column and row
     */
    VectorSchemaRoot apply(VectorSchemaRoot rows, StepSamples samples, BufferAllocator allocator);
}
