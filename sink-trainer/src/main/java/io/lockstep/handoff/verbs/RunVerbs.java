package io.lockstep.handoff.verbs;

import io.lockstep.dataset.EpochTable;
import io.lockstep.handoff.held.HeldSteps;
import io.lockstep.handoff.shm.SharedMemorySupport;
import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verbs of the run as a whole: hello, routing, register, close and move. */
public final class RunVerbs {

    private static final Logger LOG = LoggerFactory.getLogger(RunVerbs.class);

    /** How long the server holds a call while the streams are still being planned. */
    private static final long ROUTING_MILLIS = 2000;

    private final ServerIdentity self;
    private final RunStateHolder state;
    private final HeldSteps held;
    private final SharedMemorySupport memory;
    private final Upstream upstream;
    private final KnownServers servers;
    private final Executor workers;

    /**
     * @param directory runs calls to the run directory, which may block
     */
    public RunVerbs(
            ServerIdentity self,
            RunStateHolder state,
            HeldSteps held,
            SharedMemorySupport memory,
            Upstream upstream,
            Executor directory,
            Executor workers) {
        this.self = self;
        this.state = state;
        this.held = held;
        this.memory = memory;
        this.upstream = upstream;
        this.servers = new KnownServers(self.run(), upstream, directory);
        this.workers = workers;
    }

    /**
     * Rejects a request for another server.
     *
     * @param request its bytes
     */
    public void checkIsMeant(byte[] request) {
        self.check(request);
    }

    public Reply hello(Request.Hello request) {
        LOG.debug("{} says hello", request.client());
        return new Reply.Hello(Messages.PROTOCOL, Messages.RELEASE, self.run(), memory.probe());
    }

    public CompletableFuture<Reply> routing(Request.Routing request) {
        Long waitMs = Objects.requireNonNullElse(request.waitMs(), ROUTING_MILLIS);
        return state.await(
                        now -> now.streams().isEmpty() ? Optional.empty() : Optional.of(now),
                        HoldLimit.of(waitMs))
                .thenCompose(
                        known -> {
                            RunState now = known.orElseThrow(RunVerbs::unplanned);
                            return servers.get()
                                    .thenApplyAsync(endpoints -> routing(now, endpoints), workers);
                        });
    }

    private static NotYetException unplanned() {
        return new NotYetException(
                "the streams of the run are not known here yet: they are still being planned");
    }

    public Reply epochs(Request.Epochs request) {
        RunState now = state.get();
        if (now.streams().isEmpty()) {
            throw unplanned();
        }
        EpochTable table = now.stream(request.stream()).info().table();
        if (!table.has(request.from())
                || request.count() < 1
                || request.count() > Request.Epochs.MOST) {
            throw new HandoffException(
                    ErrorCode.BAD_REQUEST,
                    String.format(
                            "%d epochs from epoch %d on cannot be asked for: \"from\" is 0 to %d,"
                                    + " \"count\" 1 to %d",
                            request.count(),
                            request.from(),
                            table.count() - 1,
                            Request.Epochs.MOST));
        }
        return new Reply.Epochs(table.range(request.from(), request.count()));
    }

    private static Reply routing(RunState known, List<SinkEntry> endpoints) {
        Map<String, Reply.StreamEntry> streams = new TreeMap<>();
        known.streams().forEach((name, stream) -> streams.put(name, stream.entry()));
        return new Reply.Routing(streams, endpoints);
    }

    /** Holds a rank that waits for rank 0, up to the limit that it names. */
    public CompletableFuture<Reply> register(Request.Register request) {
        TrainerRequest asked =
                new TrainerRequest.Register(
                        request.launch(),
                        request.rank(),
                        request.world(),
                        request.host(),
                        request.instance());
        state.get().checkNotDone();
        return upstream.ask(asked, HoldLimit.of(request.waitMs()))
                .thenApplyAsync(RunVerbs::answer, workers);
    }

    public CompletableFuture<Reply> close(Request.Close request) {
        if (state.get().done()) {
            return CompletableFuture.completedFuture(new Reply.Noted());
        }
        return upstream.ask(
                        new TrainerRequest.Closed(request.generation(), request.rank()),
                        HoldLimit.DEFAULT)
                .thenApplyAsync(
                        reply -> {
                            Reply answer = answer(reply);
                            leave(request);
                            return answer;
                        },
                        workers);
    }

    /** Moves lanes; replies after the last of them has moved, or with pending. */
    public CompletableFuture<Reply> move(Request.Move request) {
        return upstream.ask(
                        new TrainerRequest.Move(request.lanes(), request.to()), HoldLimit.DEFAULT)
                .thenApplyAsync(RunVerbs::answer, workers);
    }

    private void leave(Request.Close request) {
        held.leave(request.generation(), request.rank(), null);
        memory.connections()
                .ifPresent(
                        open ->
                                open.dropIf(
                                        owner ->
                                                owner.generation() == request.generation()
                                                        && owner.rank() == request.rank()));
    }

    private static Reply answer(TrainerReply reply) {
        if (reply instanceof TrainerReply.Registered registered) {
            return new Reply.Registered(registered.generation());
        }
        expect(reply, TrainerReply.Acknowledged.class);
        return new Reply.Noted();
    }

    /** Returns the answer if it has the expected type; else throws its failure. */
    static <T extends TrainerReply> T expect(TrainerReply reply, Class<T> kind) {
        if (reply instanceof TrainerReply.Pending pending) {
            throw new NotYetException(pending.why());
        } else if (reply instanceof TrainerReply.Refused refused) {
            throw new HandoffException(ErrorCode.of(refused.code()), refused.message());
        }
        return kind.cast(reply);
    }
}
