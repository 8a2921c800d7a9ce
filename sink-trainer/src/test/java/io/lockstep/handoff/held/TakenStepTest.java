package io.lockstep.handoff.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.source.GroupStep;
import io.lockstep.source.split.LaneGroup;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Failures while steps are in use. */
class TakenStepTest {

    @Test
    void anErrorWhileStepsAreUsedReachesTheCall() {
        CompletableFuture<Object> used =
                TakenStep.use(
                        taken(),
                        steps -> {
                            throw new InternalError("truncated");
                        },
                        Runnable::run);
        assertThat(used).isCompletedExceptionally();
        assertThatThrownBy(used::join).hasRootCauseInstanceOf(InternalError.class);
    }

    @Test
    void aPoolThatTakesNoTaskReachesTheCall() {
        Executor stopped =
                task -> {
                    throw new RejectedExecutionException("stopped");
                };
        CompletableFuture<Object> used = TakenStep.use(taken(), steps -> steps, stopped);
        assertThatThrownBy(used::join).hasRootCauseInstanceOf(RejectedExecutionException.class);
    }

    private static GroupStep step() {
        return Steps.of(new LaneGroup(1, 0, "train", List.of(0)), 0, closed -> {});
    }

    private static CompletableFuture<TakenStep> taken() {
        return CompletableFuture.completedFuture(
                new TakenStep(new HeldSteps(wants -> {}), null, step()));
    }
}
