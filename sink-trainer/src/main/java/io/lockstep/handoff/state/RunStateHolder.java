package io.lockstep.handoff.state;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Holds the current {@link RunState}, and the calls that wait for a change. Thread-safe. */
public final class RunStateHolder {

    private final Executor workers;
    private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();
    private volatile RunState state = RunState.UNKNOWN;

    public RunStateHolder(Executor workers) {
        this.workers = workers;
    }

    public RunState get() {
        return state;
    }

    /** Changes the state; the workers then evaluate the waiting calls again. */
    public void update(UnaryOperator<RunState> change) {
        synchronized (this) {
            state = change.apply(state);
        }
        watchers.forEach(workers::execute);
    }

    /**
     * Waits until the state yields an answer.
     *
     * @param answer evaluated at once and after each change until it is present; its exception ends
     *     the wait
     * @return the answer, completed on any thread; empty on timeout
     */
    public <T> CompletableFuture<Optional<T>> await(
            Function<RunState, Optional<T>> answer, Duration atMost) {
        CompletableFuture<Optional<T>> result = new CompletableFuture<>();
        Runnable look = () -> look(answer, result);
        watchers.add(look);
        look.run();
        return result.completeOnTimeout(Optional.empty(), atMost.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((answered, failure) -> watchers.remove(look));
    }

    private <T> void look(
            Function<RunState, Optional<T>> answer, CompletableFuture<Optional<T>> result) {
        try {
            Optional<T> found = answer.apply(state);
            if (found.isPresent()) {
                result.complete(found);
            }
        } catch (Throwable t) {
            result.completeExceptionally(t);
        }
    }
}
