package io.lockstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Tests how failures at the end of a chain are handled. */
class FuturesTest {

    private final CompletableFuture<AutoCloseable> future = new CompletableFuture<>();
    private final List<Object> seen = new ArrayList<>();

    @Test
    void aFailureIsHandledWithItsCause() {
        Error error = new InternalError("truncated");
        Futures.onFailure(future.thenApply(x -> x), seen::add);
        future.completeExceptionally(error);
        assertThat(seen).containsExactly(error);
    }

    @Test
    void aSuccessIsNotHandled() {
        Futures.onFailure(future, seen::add);
        future.complete(() -> {});
        assertThat(seen).isEmpty();
    }

    @Test
    void aHandlerThatFailsDoesNotReachTheThreadThatCompletes() {
        Futures.onFailure(
                future,
                failure -> {
                    throw new IllegalStateException("handler");
                });
        assertThatCode(() -> future.completeExceptionally(new InternalError()))
                .doesNotThrowAnyException();
    }

    @Test
    void anActionRunsHoweverTheFutureEnds() {
        Futures.whenDone(future, () -> seen.add("done"));
        future.completeExceptionally(new InternalError());
        assertThat(seen).containsExactly("done");
    }

    @Test
    void aResultIsClosedWhenItComes() {
        Futures.close(future);
        assertThat(seen).isEmpty();
        future.complete(() -> seen.add("closed"));
        assertThat(seen).containsExactly("closed");
    }

    @Test
    void onlyTheWrapperOfADependentStageIsTakenOff() {
        Error error = new InternalError();
        assertThat(Futures.cause(new CompletionException(error))).isSameAs(error);
        assertThat(Futures.cause(new CompletionException("bare", null)))
                .isInstanceOf(CompletionException.class);
    }
}
