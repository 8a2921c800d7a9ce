package io.lockstep.handoff.flight;

import io.lockstep.digest.PackedDigests;
import io.lockstep.handoff.held.TakenStep;
import io.lockstep.handoff.state.ServedStream;
import io.lockstep.handoff.verbs.Deadline;
import io.lockstep.handoff.verbs.StepRecords;
import io.lockstep.handoff.verbs.StepService;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;

/** The verb get for trainers without the server's shared memory. */
public final class FlightBatches {

    private final StepService steps;
    private final BufferAllocator allocator;
    private final StepRecords records;
    private final Executor workers;

    public FlightBatches(
            StepService steps, BufferAllocator allocator, StepRecords records, Executor workers) {
        this.steps = steps;
        this.allocator = allocator;
        this.records = records;
        this.workers = workers;
    }

    /**
     * Returns the batch that a request names; the caller closes it.
     *
     * @param cancelled whether the client has disconnected
     */
    public CompletableFuture<FlightBatch> get(Request.Get request, BooleanSupplier cancelled) {
        Deadline deadline = steps.deadline(request);
        records.note(request);
        return steps.ready(request.generation(), deadline.remaining())
                .thenCompose(
                        state -> {
                            ServedStream stream = state.stream(request.stream());
                            return TakenStep.use(
                                    steps.take(state, request, deadline),
                                    taken -> copy(taken, request, stream, cancelled),
                                    workers);
                        });
    }

    private FlightBatch copy(
            TakenStep taken, Request.Get request, ServedStream stream, BooleanSupplier cancelled) {
        if (cancelled.getAsBoolean()) {
            throw new NotYetException("the call was cancelled");
        }
        Optional<PackedDigests> made = taken.digests();
        made.ifPresent(some -> records.served(taken.request(), some));
        Reply.InStream reply =
                new Reply.InStream(
                        taken.batch().rows(),
                        made.map(PackedDigests::hex).orElse(null),
                        records.recorded(request.consumed()),
                        records.warning(request.consumed()));
        FlightBatch batch = FlightBatch.copyOf(taken, stream.schema(), reply, allocator);
        taken.served();
        return batch;
    }
}
