package io.lockstep.source.enumerator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs blocking calls, such as those to the run directory's file system, off the coordinator's
 * thread. Outcomes are handed over on the coordinator's thread; what an outcome throws fails the
 * job. All methods are called on that thread and return at once.
 */
interface AsyncExecutor extends AutoCloseable {

    /** The pause after the first failed attempt; it doubles each time. */
    Duration FIRST_PAUSE = Duration.ofMillis(200);

    Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /**
     * @param outcome takes the result or the failure, of which one is null
     */
    <T> void call(Callable<T> work, BiConsumer<T, Throwable> outcome);

    /** Runs a task on the coordinator's thread after a delay, also while calls are stuck. */
    void schedule(Runnable task, Duration delay);

    /** Interrupts all calls; no outcome is handed over any more. */
    @Override
    void close();

    /**
     * Calls until it succeeds, with growing pauses.
     *
     * @param done takes the result
     * @param failed told of each I/O error before the next attempt; any other failure is thrown
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
     * The same, where failures that are not I/O errors have a handler of their own.
     *
     * @param fatal takes such a failure; there is no further attempt
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

    /** The pause after one of that length. */
    static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
