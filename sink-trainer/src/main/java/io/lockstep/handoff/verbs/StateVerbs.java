package io.lockstep.handoff.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.LogEntry;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The verbs for the trainers' states: start, commit, resume and note. */
public final class StateVerbs {

    /** Longer than the coordinator's limit for a commit. */
    private static final Duration COMMIT_HOLD = Duration.ofSeconds(8);

    private final RunStateHolder state;
    private final Upstream upstream;
    private final Executor directory;
    private final Executor workers;

    /**
     * @param directory runs calls to the run directory, which may block
     */
    public StateVerbs(
            RunStateHolder state, Upstream upstream, Executor directory, Executor workers) {
        this.state = state;
        this.upstream = upstream;
        this.directory = directory;
        this.workers = workers;
    }

    /**
     * Holds a rank until all ranks have sent their start positions, up to the limit that it names.
     */
    public CompletableFuture<Reply> start(Request.Start request) {
        state.get().checkServes(request.generation());
        TrainerRequest asked =
                new TrainerRequest.Start(
                        request.generation(),
                        request.rank(),
                        request.stream(),
                        request.round(),
                        request.agreement());
        return upstream.ask(asked, HoldLimit.of(request.waitMs()))
                .thenApplyAsync(
                        reply -> {
                            RunVerbs.expect(reply, TrainerReply.Acknowledged.class);
                            return new Reply.Noted();
                        },
                        workers);
    }

    public CompletableFuture<Reply> commit(Request.Commit request) {
        state.get().checkServes(request.generation());
        if (!request.state().isObject()) {
            throw new HandoffException(
                    ErrorCode.BAD_REQUEST, "the \"state\" of a commit is a JSON object");
        }
        return upstream.ask(
                        new TrainerRequest.Commit(
                                request.generation(),
                                request.rank(),
                                request.stream(),
                                request.epoch(),
                                request.step(),
                                request.state().toString(),
                                text(request.generators())),
                        COMMIT_HOLD)
                .thenApplyAsync(StateVerbs::committed, workers);
    }

    private static Reply committed(TrainerReply reply) {
        if (reply instanceof TrainerReply.NotCommitted failed) {
            return new Reply.Committed(false, false, failed.why());
        }
        boolean complete = RunVerbs.expect(reply, TrainerReply.Committed.class).complete();
        return new Reply.Committed(true, complete, null);
    }

    private static String text(JsonNode json) {
        return json == null || json.isNull() ? null : json.toString();
    }

    public CompletableFuture<Reply> resume(Request.Resume request) {
        state.get().checkServes(request.generation());
        return upstream.ask(
                        new TrainerRequest.Resume(
                                request.generation(), request.rank(), request.stream()),
                        HoldLimit.DEFAULT)
                .thenApplyAsync(
                        reply -> resumed(RunVerbs.expect(reply, TrainerReply.Resumed.class)),
                        workers);
    }

    private static Reply resumed(TrainerReply.Resumed found) {
        return new Reply.Resumed(
                found.generation(),
                found.world(),
                Messages.json(found.state()),
                Messages.json(found.generators()));
    }

    public CompletableFuture<Reply> note(Request.Note request) {
        state.get().checkServes(request.generation());
        LogEntry entry =
                new LogEntry(
                        Instant.now().toString(),
                        request.generation(),
                        request.rank(),
                        request.stream(),
                        request.epoch(),
                        request.step(),
                        request.text());
        try {
            return CompletableFuture.supplyAsync(() -> written(entry), directory);
        } catch (RejectedExecutionException busy) {
            throw new NotYetException("waiting for the run's log to take earlier entries");
        }
    }

    private Reply written(LogEntry entry) {
        try {
            upstream.log(entry);
            return new Reply.Noted();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write into the run's log: " + e.getMessage(), e);
        }
    }
}
