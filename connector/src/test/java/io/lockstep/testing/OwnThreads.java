package io.lockstep.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * What tests do beside themselves, each in a thread of its own.
 *
 * <p>The common pool is not for what waits or takes long: on two processors it has one thread, and
 * Flink needs that to end a job and to start the next.
 */
public final class OwnThreads {

    private OwnThreads() {}

    /** Something that may fail. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** The future fails with what the action throws. */
    public static CompletableFuture<Void> run(Action action) {
        return call(
                () -> {
                    action.run();
                    return null;
                });
    }

    /** The future fails with what the call throws. */
    public static <T> CompletableFuture<T> call(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                result.complete(call.call());
                            } catch (Throwable e) {
                                result.completeExceptionally(e);
                            }
                        },
                        "beside the test");
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
