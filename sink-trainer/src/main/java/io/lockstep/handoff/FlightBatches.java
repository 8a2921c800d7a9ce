package io.lockstep.handoff;

import io.lockstep.handoff.protocol.Messages;
import io.lockstep.handoff.protocol.NotYetException;
import io.lockstep.handoff.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;

/** The verb get for trainers that do not share memory with the server. */
final class FlightBatches {

    private final StepService steps;
    private final BufferAllocator allocator;
    private final Executor workers;

    FlightBatches(StepService steps, BufferAllocator allocator, Executor workers) {
        this.steps = steps;
        this.allocator = allocator;
        this.workers = workers;
    }

    /**
     * The batch that a ticket asks for; whoever gets it closes it.
     *
     * @param cancelled whether the client has gone away
     */
    CompletableFuture<FlightBatch> get(byte[] ticket, BooleanSupplier cancelled) {
        Request.Get request = Messages.request(ticket, Request.Get.class);
        Deadline deadline = steps.deadline(request);
        return steps.ready(request.generation(), deadline.left())
                .thenCompose(
                        state -> {
                            ServedStream stream = state.stream(request.stream());
                            return TakenSteps.use(
                                    steps.take(state, request, deadline),
                                    taken -> copy(taken, stream, cancelled),
                                    workers);
                        });
    }

    private FlightBatch copy(TakenSteps taken, ServedStream stream, BooleanSupplier cancelled) {
        if (cancelled.getAsBoolean()) {
            throw new NotYetException("the call was cancelled");
        }
        FlightBatch batch = FlightBatch.copyOf(taken, stream.schema(), allocator);
        taken.served();
        return batch;
    }
}
