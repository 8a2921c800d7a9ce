package io.lockstep.handoff.flight;

import io.lockstep.batch.BatchMessage;
import io.lockstep.handoff.held.TakenStep;
import io.lockstep.handoff.verbs.StepService;
import io.lockstep.protocol.Reply;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A copy of a taken step, to be sent in a Flight stream.
 *
 * @param reply sent with the batch
 * @param root the rows of all lanes; released by {@link #close()}, or by Flight if that is later
 */
record FlightBatch(Reply.InStream reply, VectorSchemaRoot root) implements AutoCloseable {

    static FlightBatch copyOf(
            TakenStep taken, Schema schema, Reply.InStream reply, BufferAllocator allocator) {
        BatchMessage batch = taken.batch().message();
        StepService.checkSize(taken, batch.bytes());
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        try {
            batch.loadInto(root, allocator);
            return new FlightBatch(reply, root);
        } catch (Throwable t) {
            root.close();
            throw t;
        }
    }

    @Override
    public void close() {
        root.close();
    }
}
