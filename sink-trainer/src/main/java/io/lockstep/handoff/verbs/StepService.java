package io.lockstep.handoff.verbs;

import io.lockstep.Futures;
import io.lockstep.dataset.EpochTable;
import io.lockstep.handoff.held.HeldSteps;
import io.lockstep.handoff.held.PendingTake;
import io.lockstep.handoff.held.StepRequest;
import io.lockstep.handoff.held.TakenStep;
import io.lockstep.handoff.shm.SharedMemory;
import io.lockstep.handoff.state.RunState;
import io.lockstep.handoff.state.RunStateHolder;
import io.lockstep.handoff.state.ServedStream;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Request;
import io.lockstep.source.GroupStep;
import io.lockstep.source.split.LaneGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Shared by both transports: finds steps, and waits for them without blocking a thread. */
public final class StepService {

    /** How long the server holds a call that names no limit. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(1);

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final RunStateHolder state;
    private final HeldSteps held;
    private final Executor workers;

    public StepService(RunStateHolder state, HeldSteps held, Executor workers) {
        this.state = state;
        this.held = held;
        this.workers = workers;
    }

    public RunState state() {
        return state.get();
    }

    public Deadline deadline(Request.Get request) {
        Duration asked =
                request.waitMs() == null ? DEFAULT_WAIT : Duration.ofMillis(request.waitMs());
        return Deadline.in(asked.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : asked);
    }

    /**
     * Waits for a state in which a generation is served: trainers may know of it before this
     * server.
     */
    public CompletableFuture<RunState> ready(long generation, Duration wait) {
        return state.await(
                        now -> {
                            now.checkServes(generation);
                            return now.knows(generation) ? Optional.of(now) : Optional.empty();
                        },
                        wait)
                .thenApply(known -> known.orElseThrow(() -> notReady(generation)));
    }

    private NotYetException notReady(long generation) {
        return new NotYetException(
                state.get().streams().isEmpty()
                        ? "the streams of the run are not known here yet: they are still being planned"
                        : "generation " + generation + " of the trainers is not known here yet");
    }

    public void want(RunState now, Request.WantSteps request) {
        ServedStream stream = now.stream(request.stream());
        EpochTable table = stream.info().table();
        long from = wantFrom(stream, request.epoch(), request.from());
        held.want(
                new StepRequest(
                        group(stream, request.generation(), request.rank(), request.lanes()),
                        table,
                        from,
                        upTo(stream, request.epoch(), request.upTo())));
    }

    /** Takes the step that a get names as soon as it is ready. */
    public CompletableFuture<TakenStep> take(RunState now, Request.Get request, Deadline deadline) {
        ServedStream stream = now.stream(request.stream());
        EpochTable table = stream.info().table();
        long position = position(stream, request.epoch(), request.step());
        StepRequest wanted =
                new StepRequest(
                        group(stream, request.generation(), request.rank(), request.lanes()),
                        table,
                        position,
                        Math.max(position + 1, upTo(stream, request.epoch(), request.upTo())));
        PendingTake take = held.take(wanted);
        expireLater(take, deadline);
        return take.result().thenApply(taken -> new TakenStep(held, wanted, taken));
    }

    /**
     * A want may start after the last step of an epoch, which means the next epoch's first step.
     */
    private static long wantFrom(ServedStream stream, long epoch, long step) {
        EpochTable table = stream.info().table();
        boolean startsNextEpoch = table.has(epoch) && step == table.of(epoch).steps();
        return startsNextEpoch ? position(stream, epoch + 1, 0) : position(stream, epoch, step);
    }

    /** Accepts epochs beyond those of the run, as far as the stream's table goes. */
    private static long position(ServedStream stream, long epoch, long step) {
        try {
            return stream.info().table().position(epoch, step);
        } catch (IndexOutOfBoundsException e) {
            throw new HandoffException(
                    ErrorCode.BAD_REQUEST,
                    "the stream '" + stream.info().name() + "': " + e.getMessage());
        }
    }

    /**
     * The end of a want, possibly in a later epoch: at most the end of the stream's last epoch, or
     * of the want's own epoch if that is later.
     *
     * @param steps counted from the first of the epoch
     */
    private static long upTo(ServedStream stream, long epoch, long steps) {
        EpochTable table = stream.info().table();
        long from = table.of(epoch).first();
        long end = table.stepsOfFirst(Math.max(epoch + 1, stream.info().epochs()));
        return from + Math.min(steps, end - from);
    }

    private void expireLater(PendingTake take, Deadline deadline) {
        if (!take.result().isDone()) {
            Futures.onFailure(
                    take.result()
                            .copy()
                            .orTimeout(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS)
                            .exceptionallyAsync(late -> expired(take), workers),
                    take.result()::completeExceptionally);
        }
    }

    private GroupStep expired(PendingTake take) {
        held.expire(take);
        return null;
    }

    /** Fails at the deadline, for a call that only another call can complete. */
    <T> CompletableFuture<T> notBefore(Deadline deadline, Supplier<RuntimeException> why) {
        return new CompletableFuture<T>()
                .orTimeout(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyAsync(
                        late -> {
                            throw why.get();
                        },
                        workers);
    }

    private static LaneGroup group(
            ServedStream stream, long generation, int rank, List<Integer> lanes) {
        return new LaneGroup(generation, rank, stream.info().name(), lanes);
    }

    void leave(long generation, int rank, String stream) {
        held.leave(generation, rank, stream);
    }

    /** Rejects a batch that is too large for either transport. */
    public static void checkSize(TakenStep taken, long bytes) {
        if (bytes > SharedMemory.MAX_BATCH_BYTES) {
            throw new HandoffException(
                    ErrorCode.FAILED,
                    String.format(
                            "the batch of %s takes %,d bytes, and one hand-off carries at most %,d: choose a"
                                    + " smaller batch, fewer columns, or more ranks",
                            taken, bytes, SharedMemory.MAX_BATCH_BYTES));
        }
    }
}
