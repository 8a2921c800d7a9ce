package io.lockstep.source.reader;

import io.lockstep.source.event.TrainerAnswered;
import io.lockstep.source.event.TrainerAsked;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Pairs the enumerator's answers with the trainers' requests. Thread-safe. */
final class PendingRequests {

    /**
     * After this long without an answer the trainer is told to ask again: requests are idempotent.
     */
    private static final long PATIENCE_SECONDS = 5;

    private final Consumer<TrainerAsked> toEnumerator;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<TrainerReply>> waiting = new ConcurrentHashMap<>();

    PendingRequests(Consumer<TrainerAsked> toEnumerator) {
        this.toEnumerator = toEnumerator;
    }

    CompletableFuture<TrainerReply> ask(TrainerRequest request) {
        long id = ids.incrementAndGet();
        CompletableFuture<TrainerReply> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        toEnumerator.accept(new TrainerAsked(id, request));
        return reply.completeOnTimeout(
                        new TrainerReply.Pending("the job's coordinator has not answered yet"),
                        PATIENCE_SECONDS,
                        TimeUnit.SECONDS)
                .whenComplete((answer, failure) -> waiting.remove(id));
    }

    void answered(TrainerAnswered event) {
        CompletableFuture<TrainerReply> reply = waiting.get(event.id());
        if (reply != null) {
            reply.complete(event.reply());
        }
    }
}
