package io.lockstep;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.flink.annotation.Internal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terminates chains of futures that no caller waits for. Every failure, including an {@link Error},
 * reaches a handler or the log. Everywhere else, the build rejects ignored futures.
 */
@Internal
public final class Futures {

    private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /**
     * Passes the failure of a stage to a handler.
     *
     * @param handler receives the cause, on the thread that completes the stage
     */
    public static void onFailure(CompletionStage<?> stage, Consumer<Throwable> handler) {
        end(
                stage,
                failure -> {
                    if (failure != null) {
                        handler.accept(cause(failure));
                    }
                });
    }

    /**
     * Runs an action when a stage completes. A failure of the stage is left to its other
     * dependents.
     */
    public static void whenDone(CompletionStage<?> stage, Runnable action) {
        end(stage, failure -> action.run());
    }

    /**
     * Closes the result of a future once it is available. A failure of the future is left to its
     * other dependents.
     */
    public static void close(CompletableFuture<? extends AutoCloseable> future) {
        end(
                future,
                failure -> {
                    if (failure == null) {
                        future.join().close();
                    }
                });
    }

    /** Returns the cause of a stage's failure, without the wrapper that dependent stages add. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    @FunctionalInterface
    private interface End {
        void accept(Throwable failure) throws Exception;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it cannot fail
    private static void end(CompletionStage<?> stage, End end) {
        stage.whenComplete(
                (result, failure) -> {
                    try {
                        end.accept(failure);
                    } catch (Throwable t) {
                        LOG.error("A background task failed, and no caller waits for it", t);
                    }
                });
    }
}
