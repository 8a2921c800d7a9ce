package io.lockstep.handoff.held;

import io.lockstep.Futures;
import io.lockstep.batch.LaneBatch;
import io.lockstep.batch.RankBatch;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.PackedDigests;
import io.lockstep.source.LaneStep;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of all lanes of one request, taken from {@link HeldSteps}. Closing releases them if
 * they were {@link #served}, else it puts them back. Not thread-safe.
 */
public final class TakenSteps implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TakenSteps.class);

    private final HeldSteps held;
    private final StepRequest request;
    private final List<LaneStep> steps;
    private boolean served;

    public TakenSteps(HeldSteps held, StepRequest request, List<LaneStep> steps) {
        this.held = held;
        this.request = request;
        this.steps = steps;
    }

    public StepRequest request() {
        return request;
    }

    public int rows() {
        return steps.stream().mapToInt(step -> step.batch().rows()).sum();
    }

    /** The digests of the lanes in order; empty where the run makes none. */
    public Optional<PackedDigests> digests() {
        List<Digest128> digests =
                steps.stream().map(LaneStep::digest).flatMap(Optional::stream).toList();
        return digests.size() == steps.size()
                ? Optional.of(PackedDigests.copyOf(digests))
                : Optional.empty();
    }

    /** The lanes' rows as one batch; it reads the steps' memory. */
    public RankBatch batch() {
        List<LaneBatch> batches = steps.stream().map(LaneStep::batch).toList();
        return RankBatch.layout(batches);
    }

    /** The trainer has a copy: the steps are wanted no longer. */
    public void served() {
        served = true;
        held.served(request);
    }

    /**
     * Has the steps used on a worker, and closed after the result is on its way: releasing memory
     * takes its time.
     *
     * @param use may throw what the result is to fail with
     */
    public static <T> CompletableFuture<T> use(
            CompletableFuture<TakenSteps> taking, Function<TakenSteps, T> use, Executor workers) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Futures.onFailure(
                taking.thenAcceptAsync(
                        taken -> {
                            try (taken) {
                                result.complete(use.apply(taken));
                            }
                        },
                        workers),
                failure -> {
                    if (!result.completeExceptionally(failure)) {
                        LOG.error("Steps that were handed over could not be released", failure);
                    }
                });
        return result;
    }

    @Override
    public void close() {
        if (served) {
            steps.forEach(LaneStep::close);
        } else {
            held.putBack(steps);
        }
    }

    @Override
    public String toString() {
        return StepRequest.words(request.lanes(), request.epoch(), request.step());
    }
}
