package io.lockstep.handoff.flight;

import io.lockstep.Futures;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.handoff.verbs.BatchVerbs;
import io.lockstep.handoff.verbs.EnumeratorVerbs;
import io.lockstep.handoff.verbs.OpenCalls;
import io.lockstep.handoff.verbs.RunVerbs;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Verb;
import io.lockstep.source.feedback.RequestCheck;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.ActionType;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the hand-off protocol over Arrow Flight. No call blocks a thread: each reply is sent from
 * the thread that completes it, since a Flight call that blocks its thread can deadlock.
 */
public final class HandoffProducer extends NoOpFlightProducer {

    private static final Logger LOG = LoggerFactory.getLogger(HandoffProducer.class);

    private final OpenCalls calls;
    private final RunStateHolder state;
    private final RunVerbs run;
    private final EnumeratorVerbs enumerator;
    private final BatchVerbs batches;
    private final FlightBatches flight;
    private final Supplier<Reply.Stats> stats;
    private final BufferAllocator allocator;
    private final Executor workers;

    public HandoffProducer(
            OpenCalls calls,
            RunStateHolder state,
            RunVerbs run,
            EnumeratorVerbs enumerator,
            BatchVerbs batches,
            FlightBatches flight,
            Supplier<Reply.Stats> stats,
            BufferAllocator allocator,
            Executor workers) {
        this.calls = calls;
        this.state = state;
        this.run = run;
        this.enumerator = enumerator;
        this.batches = batches;
        this.flight = flight;
        this.stats = stats;
        this.allocator = allocator;
        this.workers = workers;
    }

    @Override
    public void listActions(CallContext context, StreamListener<ActionType> listener) {
        for (Verb verb : Verb.values()) {
            listener.onNext(
                    new ActionType(verb.wireName(), "hand-off protocol: JSON in, JSON out"));
        }
        listener.onCompleted();
    }

    @Override
    public void doAction(CallContext context, Action action, StreamListener<Result> listener) {
        Futures.onFailure(
                calls.run(() -> dispatch(action, context::isCancelled), unsent -> {})
                        .exceptionallyAsync(OpenCalls::failure, workers)
                        .thenAccept(
                                reply -> {
                                    listener.onNext(new Result(Messages.write(reply)));
                                    listener.onCompleted();
                                }),
                failure -> unsent(context, failure, listener::onError));
    }

    private CompletableFuture<Reply> dispatch(Action action, BooleanSupplier cancelled) {
        Verb verb = Verb.of(action.getType()).orElseThrow(() -> unknown(action.getType()));
        Request request = Messages.request(action.getBody(), verb.request());
        run.checkIsMeant(action.getBody());
        check(request);
        if (request instanceof Request.Hello hello) {
            return now(run.hello(hello));
        } else if (request instanceof Request.Routing routing) {
            return calls.releasable(routing.call(), run.routing(routing));
        } else if (request instanceof Request.Epochs epochs) {
            return now(run.epochs(epochs));
        } else if (request instanceof Request.ToRun toRun) {
            return calls.releasable(toRun.call(), enumerator.ask(toRun));
        } else if (request instanceof Request.Release release) {
            calls.release(release.call());
            return now(new Reply.Noted());
        } else if (request instanceof Request.Note note) {
            return run.note(note);
        } else if (request instanceof Request.Attach attach) {
            return batches.attach(attach);
        } else if (request instanceof Request.Detach detach) {
            return now(batches.detach(detach));
        } else if (request instanceof Request.WantSteps want) {
            return batches.want(want);
        } else if (request instanceof Request.Get get) {
            return batches.get(get, cancelled);
        } else if (request instanceof Request.Consumed consumed) {
            return batches.consumed(consumed);
        }
        return now(stats.get());
    }

    private void check(Request request) {
        new RequestCheck(state.get().infos()).check(request);
    }

    private static CompletableFuture<Reply> now(Reply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private static HandoffException unknown(String action) {
        return new HandoffException(
                ErrorCode.BAD_REQUEST,
                "the hand-off protocol has no action '" + action + "': it has " + Verb.wireNames());
    }

    @Override
    public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
        Futures.onFailure(
                calls.run(() -> get(ticket.getBytes(), context::isCancelled), FlightBatch::close)
                        .<Runnable>thenApply(batch -> () -> send(batch, listener))
                        .exceptionallyAsync(
                                failure -> () -> send(OpenCalls.failure(failure), listener),
                                workers)
                        .thenAccept(Runnable::run),
                failure -> unsent(context, failure, listener::error));
    }

    private CompletableFuture<FlightBatch> get(byte[] ticket, BooleanSupplier cancelled) {
        run.checkIsMeant(ticket);
        Request.Get request = Messages.request(ticket, Request.Get.class);
        check(request);
        return flight.get(request, cancelled);
    }

    private static void unsent(CallContext context, Throwable failure, Consumer<Throwable> report) {
        if (context.isCancelled()) {
            LOG.debug("A client has gone away before its reply", failure);
        } else {
            LOG.warn("A reply could not be sent", failure);
            report.accept(failure);
        }
    }

    /** The schema, then one message with the batch; Flight holds its memory until it is sent. */
    private void send(FlightBatch batch, ServerStreamListener listener) {
        try (batch) {
            listener.setUseZeroCopy(true);
            listener.start(batch.root());
            listener.putNext(metadata(batch.reply()));
            listener.completed();
        }
    }

    /** Sends an empty schema first, without which a C++ client skips the message that follows. */
    private void send(Reply reply, ServerStreamListener listener) {
        try (VectorSchemaRoot nothing = new VectorSchemaRoot(List.of())) {
            listener.start(nothing);
            listener.putMetadata(metadata(reply));
            listener.completed();
        }
    }

    private ArrowBuf metadata(Reply reply) {
        byte[] json = Messages.write(reply);
        ArrowBuf buffer = allocator.buffer(json.length);
        buffer.writeBytes(json);
        return buffer;
    }
}
