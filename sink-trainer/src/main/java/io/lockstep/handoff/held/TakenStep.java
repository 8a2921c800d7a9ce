package io.lockstep.handoff.held;

import io.lockstep.Futures;
import io.lockstep.batch.StepBatch;
import io.lockstep.digest.PackedDigests;
import io.lockstep.source.GroupStep;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The step of one request, taken from {@link HeldSteps}. Closing releases it if it was {@link
 * #served}, else puts it back. Not thread-safe.
 */
public final class TakenStep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TakenStep.class);

    private final HeldSteps held;
    private final StepRequest request;
    private final GroupStep step;
    private boolean served;

    public TakenStep(HeldSteps held, StepRequest request, GroupStep step) {
        this.held = held;
        this.request = request;
        this.step = step;
    }

    public StepRequest request() {
        return request;
    }

    /** The rows of the lanes, one lane after the other; valid until {@link #close()}. */
    public StepBatch batch() {
        return step.batch();
    }

    /** The digests of the lanes in order; empty if the run makes none. */
    public Optional<PackedDigests> digests() {
        return step.digests();
    }

    /** Marks the step as handed over: the trainer has a copy. */
    public void served() {
        served = true;
        held.served(request);
    }

    /**
     * Runs {@code use} on a worker thread and closes the step after completing the result, since
     * releasing memory takes time.
     *
     * @param use its exception, if any, fails the result
     */
    public static <T> CompletableFuture<T> use(
            CompletableFuture<TakenStep> taking, Function<TakenStep, T> use, Executor workers) {
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
                        LOG.error("A step that was handed over could not be released", failure);
                    }
                });
        return result;
    }

    @Override
    public void close() {
        if (served) {
            step.close();
        } else {
            held.restore(step);
        }
    }

    @Override
    public String toString() {
        return request.toString();
    }
}
