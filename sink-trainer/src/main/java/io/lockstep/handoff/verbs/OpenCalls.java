package io.lockstep.handoff.verbs;

import io.lockstep.Futures;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls without a reply yet; all end with the server. Thread-safe. */
public final class OpenCalls {

    private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);

    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<?>> named = new ConcurrentHashMap<>();
    private volatile HandoffException ended;

    /**
     * Runs a call.
     *
     * @param call its exception, if any, fails the result
     * @param discard releases a result that arrives after the end
     * @return its result, or an error if the server ends first
     */
    public <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> call, Consumer<T> discard) {
        CompletableFuture<T> result = new CompletableFuture<>();
        open.add(result);
        Futures.whenDone(result, () -> open.remove(result));
        if (ended != null) {
            result.completeExceptionally(ended);
            return result;
        }
        try {
            Futures.onFailure(
                    call.get()
                            .thenAccept(
                                    value -> {
                                        if (!result.complete(value)) {
                                            discard.accept(value);
                                        }
                                    }),
                    failure -> {
                        if (!result.completeExceptionally(failure)) {
                            LOG.debug("A call failed after the server had ended it", failure);
                        }
                    });
        } catch (Throwable t) {
            result.completeExceptionally(t);
        }
        return result;
    }

    /**
     * Registers a reply whose client may stop waiting before the hold limit.
     *
     * @param name by which the client may release it; null for none
     */
    public <T> CompletableFuture<T> releasable(@Nullable String name, CompletableFuture<T> reply) {
        if (name == null) {
            return reply;
        }
        CompletableFuture<T> result = reply.copy();
        named.put(name, result);
        Futures.whenDone(result, () -> named.remove(name, result));
        return result;
    }

    /** Answers the call of that name as pending. Does nothing if no such call is open. */
    public void release(String name) {
        CompletableFuture<?> call = named.get(name);
        if (call != null) {
            call.completeExceptionally(new NotYetException("released by its client"));
        }
    }

    /** Ends all present and future calls with an error. */
    public void end(ErrorCode code, String message) {
        HandoffException end = new HandoffException(code, message);
        ended = end;
        open.forEach(call -> call.completeExceptionally(end));
    }

    /** The reply for a failure. */
    public static Reply failure(Throwable thrown) {
        Throwable cause = Futures.cause(thrown);
        if (cause instanceof NotYetException) {
            return new Reply.Pending(cause.getMessage());
        } else if (cause instanceof HandoffException known) {
            return new Reply.Failure(known.code(), known.getMessage());
        }
        LOG.warn("A trainer's request failed", cause);
        String message = cause.getMessage();
        return new Reply.Failure(ErrorCode.FAILED, message == null ? cause.toString() : message);
    }
}
