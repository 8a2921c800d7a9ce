package io.lockstep.materialize;

import io.lockstep.Futures;
import io.lockstep.cache.DamagedRowGroupException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Retries making a step whose cache files were truncated meanwhile. */
final class Retries {

    private static final int ATTEMPTS = 5;

    private Retries() {}

    /**
     * Makes a step, with retries.
     *
     * @param attempt prepares the step and gathers it
     * @return fails as the attempt does, with {@link DamagedRowGroupException} only if files are
     *     truncated again and again
     */
    static <T> CompletableFuture<T> ofDamaged(Supplier<CompletableFuture<T>> attempt) {
        return ofDamaged(attempt, ATTEMPTS);
    }

    private static <T> CompletableFuture<T> ofDamaged(
            Supplier<CompletableFuture<T>> attempt, int attempts) {
        return attempt.get()
                .exceptionallyCompose(
                        failure ->
                                attempts > 1
                                                && Futures.cause(failure)
                                                        instanceof DamagedRowGroupException
                                        ? ofDamaged(attempt, attempts - 1)
                                        : CompletableFuture.failedFuture(failure));
    }
}
