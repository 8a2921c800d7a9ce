package io.lockstep.handoff.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What becomes of failures while steps are used. */
class TakenStepsTest {

    @Test
    void anErrorWhileStepsAreUsedReachesTheCall() {
        CompletableFuture<Object> used =
                TakenSteps.use(
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
        CompletableFuture<Object> used = TakenSteps.use(taken(), steps -> steps, stopped);
        assertThatThrownBy(used::join).hasRootCauseInstanceOf(RejectedExecutionException.class);
    }

    private static CompletableFuture<TakenSteps> taken() {
        return CompletableFuture.completedFuture(
                new TakenSteps(new HeldSteps(wants -> {}), null, List.of()));
    }
}
