package io.lockstep;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.flink.annotation.Internal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends of chains of futures that no caller waits for. A failure, {@link Error}s included,
 * reaches a handler or the log; the build refuses a future that is dropped anywhere else.
 */
@Internal
public final class Futures {

    private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    /**
     * Has a stage's failure handled.
     *
     * @param handler gets the cause, on the thread that completes the stage
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

    /** Runs an action when a stage is done; a failure of the stage is left to its other users. */
    public static void whenDone(CompletionStage<?> stage, Runnable action) {
        end(stage, failure -> action.run());
    }

    /** Closes what a future gives, now or later; a failure of it is left to its other users. */
    public static void close(CompletableFuture<? extends AutoCloseable> future) {
        end(
                future,
                failure -> {
                    if (failure == null) {
                        future.join().close();
                    }
                });
    }

    /** What made a stage fail, without the wrapper that a dependent stage adds. */
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
