package io.lockstep.handoff.verbs;

import io.lockstep.handoff.held.HeldSteps;
import io.lockstep.handoff.shm.SharedMemorySupport;
import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The verbs that the job's enumerator answers. */
public final class EnumeratorVerbs {

    /** Longer than the enumerator's limit for a commit. */
    private static final Duration COMMIT_HOLD = Duration.ofSeconds(8);

    private final RunStateHolder state;
    private final HeldSteps held;
    private final SharedMemorySupport memory;
    private final Upstream upstream;
    private final Executor workers;

    public EnumeratorVerbs(
            RunStateHolder state,
            HeldSteps held,
            SharedMemorySupport memory,
            Upstream upstream,
            Executor workers) {
        this.state = state;
        this.held = held;
        this.memory = memory;
        this.upstream = upstream;
        this.workers = workers;
    }

    /** Asks the enumerator, unless this server knows the answer. */
    public CompletableFuture<Reply> ask(Request.ToRun request) {
        RunState now = state.get();
        if (request instanceof Request.Close && now.done()) {
            return CompletableFuture.completedFuture(new Reply.Noted());
        } else if (request instanceof Request.Register) {
            now.checkNotDone();
        } else if (request instanceof Request.OfRank rank) {
            now.checkServes(rank.generation());
        }
        Duration hold =
                request instanceof Request.Commit ? COMMIT_HOLD : HoldLimit.of(request.waitMs());
        return upstream.ask(request, hold)
                .thenApplyAsync(
                        reply -> {
                            if (request instanceof Request.Close close
                                    && reply instanceof Reply.Noted) {
                                leave(close);
                            }
                            return reply;
                        },
                        workers);
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
}
