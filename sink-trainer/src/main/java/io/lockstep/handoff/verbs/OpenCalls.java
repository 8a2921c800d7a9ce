package io.lockstep.handoff.verbs;

import io.lockstep.Futures;
import io.lockstep.handoff.protocol.ErrorCode;
import io.lockstep.handoff.protocol.HandoffException;
import io.lockstep.handoff.protocol.NotYetException;
import io.lockstep.handoff.protocol.Reply;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls that have no reply yet; none outlives the server. Thread-safe. */
public final class OpenCalls {

    private static final Logger LOG = LoggerFactory.getLogger(OpenCalls.class);

    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<?>> named = new ConcurrentHashMap<>();
    private volatile HandoffException ended;

    /**
     * Runs a call.
     *
     * @param call may throw what it would complete with
     * @param discard releases a result that comes after the end
     * @return its result; or an error where the server ends before it
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
     * A reply for which its client may not wait as long as it is held.
     *
     * @param name by which it may be released; null for none
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

    /** Answers the call of that name as not yet answered, if there is one. */
    public void release(String name) {
        CompletableFuture<?> call = named.get(name);
        if (call != null) {
            call.completeExceptionally(new NotYetException("released by its client"));
        }
    }

    /** Ends all calls, and those that are still to come, with an error. */
    public void end(ErrorCode code, String message) {
        HandoffException end = new HandoffException(code, message);
        ended = end;
        open.forEach(call -> call.completeExceptionally(end));
    }

    /** The reply that says why there is no other. */
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
