package io.lockstep.handoff;

import io.lockstep.batch.RankBatch;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A copy of the taken steps, on its way into a Flight stream.
 *
 * @param root the rows of all lanes; released by {@link #close()}, or by Flight where that is later
 */
record FlightBatch(VectorSchemaRoot root) implements AutoCloseable {

    static FlightBatch copyOf(TakenSteps taken, Schema schema, BufferAllocator allocator) {
        RankBatch batch = taken.batch();
        StepService.checkSize(taken, batch.messageBytes());
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        try {
            batch.loadInto(root, allocator);
            return new FlightBatch(root);
        } catch (RuntimeException e) {
            root.close();
            throw e;
        }
    }

    @Override
    public void close() {
        root.close();
    }
}
