package io.lockstep.source.enumerator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs blocking calls, such as those to the run directory's file system, off the coordinator's
 * thread. Callbacks run on the coordinator's thread; an exception in a callback fails the job. Call
 * all methods on that thread; they return immediately.
 */
interface AsyncExecutor extends AutoCloseable {

    /** The pause after the first failed attempt; it doubles each time. */
    Duration FIRST_PAUSE = Duration.ofMillis(200);

    Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /**
     * @param outcome receives the result or the failure; the other is null
     */
    <T> void call(Callable<T> work, BiConsumer<T, Throwable> outcome);

    /** Runs a task on the coordinator's thread after a delay, even while calls are blocked. */
    void schedule(Runnable task, Duration delay);

    /** Interrupts all calls; no callback runs afterwards. */
    @Override
    void close();

    /**
     * Retries a call until it succeeds, with exponential backoff.
     *
     * @param done receives the result
     * @param failed called with each I/O error before the next attempt; any other failure is thrown
     */
    default <T> void retry(Callable<T> work, Consumer<T> done, Consumer<Throwable> failed) {
        retry(
                work,
                done,
                failed,
                failure -> {
                    throw failure;
                });
    }

    /**
     * Like {@code retry}, with a handler for failures other than I/O errors.
     *
     * @param fatal receives such a failure; the call is not retried
     */
    default <T> void retry(
            Callable<T> work,
            Consumer<T> done,
            Consumer<Throwable> failed,
            Consumer<RuntimeException> fatal) {
        retry(work, done, failed, fatal, FIRST_PAUSE);
    }

    private <T> void retry(
            Callable<T> work,
            Consumer<T> done,
            Consumer<Throwable> failed,
            Consumer<RuntimeException> fatal,
            Duration pause) {
        call(
                work,
                (result, failure) -> {
                    if (failure == null) {
                        done.accept(result);
                    } else if (failure instanceof IOException
                            || failure instanceof UncheckedIOException) {
                        failed.accept(failure);
                        schedule(() -> retry(work, done, failed, fatal, longer(pause)), pause);
                    } else {
                        fatal.accept(
                                failure instanceof RuntimeException unchecked
                                        ? unchecked
                                        : new IllegalStateException(failure));
                    }
                });
    }

    /** The pause that follows one of this length. */
    static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
