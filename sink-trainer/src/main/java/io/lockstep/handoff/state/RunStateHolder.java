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

/** The present {@link RunState}, and the calls that wait for another one. Thread-safe. */
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

    /** Changes the state, and has the waiting calls look at it on the workers. */
    public void update(UnaryOperator<RunState> change) {
        synchronized (this) {
            state = change.apply(state);
        }
        watchers.forEach(workers::execute);
    }

    /**
     * The answer as soon as the state has one.
     *
     * @param answer asked at once and after each change until it has one; what it throws ends the
     *     wait
     * @return the answer, completed on any thread; nothing if there was none in that time
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
