package io.lockstep.handoff.verbs;

import io.lockstep.batch.BatchMessage;
import io.lockstep.digest.PackedDigests;
import io.lockstep.handoff.held.TakenStep;
import io.lockstep.handoff.shm.Connections;
import io.lockstep.handoff.shm.NoRoomException;
import io.lockstep.handoff.shm.SharedMemorySupport;
import io.lockstep.handoff.shm.Slot;
import io.lockstep.handoff.shm.SlotConnection;
import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.StreamConsumer;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.util.MemoryUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verbs that deliver batches to a rank: attach, detach, want, get through shared memory, and
 * consumed.
 */
public final class BatchVerbs {

    private static final Logger LOG = LoggerFactory.getLogger(BatchVerbs.class);
    private static final byte[] NO_DIGESTS = {};

    private final StepService steps;
    private final SharedMemorySupport memory;
    private final StepRecords records;
    private final Executor workers;
    private final AtomicBoolean warned = new AtomicBoolean();

    public BatchVerbs(
            StepService steps, SharedMemorySupport memory, StepRecords records, Executor workers) {
        this.steps = steps;
        this.memory = memory;
        this.records = records;
        this.workers = workers;
    }

    public CompletableFuture<Reply> attach(Request.Attach request) {
        return steps.ready(request.generation(), StepService.DEFAULT_WAIT)
                .thenApply(
                        state -> {
                            state.stream(request.stream());
                            return attachNow(request);
                        });
    }

    private Reply attachNow(Request.Attach request) {
        StreamConsumer owner =
                new StreamConsumer(request.generation(), request.rank(), request.stream());
        if (request.transport() == Transport.FLIGHT) {
            memory.connections().ifPresent(open -> open.dropIf(owner::equals));
            return new Reply.UseFlight(null);
        }
        if (memory.connections().isEmpty()) {
            return useFlight(memory.whyNot());
        }
        Connections open = memory.connections().get();
        return open.refusal(owner)
                .map(this::useFlight)
                .orElseGet(() -> new Reply.Attached(open.attach(owner).id()));
    }

    private Reply useFlight(String reason) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn("Batches go by Flight, which is slower than shared memory: {}", reason);
        }
        return new Reply.UseFlight(reason);
    }

    public Reply detach(Request.Detach request) {
        steps.state().checkServes(request.generation());
        steps.leave(request.generation(), request.rank(), request.stream());
        StreamConsumer owner =
                new StreamConsumer(request.generation(), request.rank(), request.stream());
        memory.connections().ifPresent(open -> open.dropIf(owner::equals));
        return new Reply.Noted();
    }

    public CompletableFuture<Reply> want(Request.WantSteps request) {
        return steps.ready(request.generation(), StepService.DEFAULT_WAIT)
                .thenApply(
                        state -> {
                            steps.want(state, request);
                            return new Reply.Noted();
                        });
    }

    /** Records what a trainer has consumed, and replies when that is durable. */
    public CompletableFuture<Reply> consumed(Request.Consumed request) {
        return records.record(request);
    }

    /**
     * Delivers a step in a slot of the connection.
     *
     * @param cancelled whether the client has disconnected
     */
    public CompletableFuture<Reply> get(Request.Get request, BooleanSupplier cancelled) {
        Deadline deadline = steps.deadline(request);
        records.note(request);
        return steps.ready(request.generation(), deadline.remaining())
                .thenCompose(state -> get(state, request, deadline, cancelled));
    }

    private CompletableFuture<Reply> get(
            RunState state, Request.Get request, Deadline deadline, BooleanSupplier cancelled) {
        state.stream(request.stream());
        SlotConnection connection = connection(request);
        SlotPosition position = new SlotPosition(request.lanes(), request.epoch(), request.step());
        free(connection, request);
        Optional<Slot> again = connection.written(position);
        if (again.isPresent()) {
            return CompletableFuture.completedFuture(reply(again.get(), request));
        }
        if (connection.isFull()) {
            return steps.notBefore(deadline, () -> allInUse(connection));
        }
        return TakenStep.use(
                steps.take(state, request, deadline),
                taken -> place(taken, connection, request, state, cancelled),
                workers);
    }

    private SlotConnection connection(Request.Get request) {
        if (request.connection() == null) {
            throw new HandoffException(
                    ErrorCode.BAD_REQUEST,
                    "a get through shared memory names the \"connection\" that attach gave");
        }
        StreamConsumer owner =
                new StreamConsumer(request.generation(), request.rank(), request.stream());
        return memory.connections()
                .orElseThrow(
                        () ->
                                new HandoffException(
                                        ErrorCode.UNKNOWN_CONNECTION,
                                        "this server has no shared memory: attach again"))
                .get(owner, request.connection());
    }

    private static void free(SlotConnection connection, Request.Get request) {
        if (request.free() != null) {
            try {
                connection.free(request.free());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot give shared memory back", e);
            }
        }
    }

    private Reply place(
            TakenStep taken,
            SlotConnection connection,
            Request.Get request,
            RunState state,
            BooleanSupplier cancelled) {
        if (cancelled.getAsBoolean()) {
            throw new NotYetException("the call was cancelled");
        }
        BatchMessage message = taken.batch().message();
        long bytes = message.bytes();
        try {
            Optional<PackedDigests> made = taken.digests();
            byte[] digests = made.map(PackedDigests::bytes).orElse(NO_DIGESTS);
            StepService.checkSize(taken, bytes + digests.length);
            made.ifPresent(some -> records.served(taken.request(), some));
            SlotPosition position =
                    new SlotPosition(
                            request.lanes(), request.epoch(), request.step(), digests.length);
            Slot slot =
                    connection
                            .take(position, bytes + digests.length, message.rows())
                            .orElseThrow(() -> allInUse(connection));
            slot.write(
                    address -> {
                        message.writeTo(address);
                        MemoryUtil.copyToMemory(digests, 0, address + bytes, digests.length);
                    });
            taken.served();
            return reply(slot, request);
        } catch (NoRoomException e) {
            StreamConsumer owner = owner(request);
            String reason = e.withSizeFor(state.stepRows() * bytes / message.rows());
            memory.connections().ifPresent(open -> open.refuse(owner, reason));
            throw new HandoffException(
                    ErrorCode.UNKNOWN_CONNECTION, "attach again, for Flight: " + reason);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write " + taken + " into shared memory: " + e.getMessage(), e);
        }
    }

    private static StreamConsumer owner(Request.Get request) {
        return new StreamConsumer(request.generation(), request.rank(), request.stream());
    }

    private static NotYetException allInUse(SlotConnection connection) {
        return new NotYetException(
                String.format(
                        "all %d slots of the connection are in use: free those of batches that are no longer"
                                + " needed",
                        connection.slots()));
    }

    private Reply reply(Slot slot, Request.Get request) {
        Slot.Content content = slot.content();
        int digests = ((SlotPosition) content.position()).digestBytes();
        return new Reply.InSlot(
                slot.path().toString(),
                slot.number(),
                slot.offset(),
                content.bytes() - digests,
                content.rows(),
                digests == 0 ? null : digests,
                records.recorded(request.consumed()),
                records.warning(request.consumed()));
    }
}
