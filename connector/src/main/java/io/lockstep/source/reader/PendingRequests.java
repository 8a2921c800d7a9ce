package io.lockstep.source.reader;

import io.lockstep.source.event.TrainerAnswered;
import io.lockstep.source.event.TrainerAsked;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Pairs the enumerator's answers with the trainers' requests. Thread-safe. */
final class PendingRequests {

    /**
     * After this long without an answer the trainer is told to ask again: requests are idempotent.
     * A client that ends waits for its last call, so for about as long.
     */
    private static final long PATIENCE_SECONDS = 5;

    private final Consumer<TrainerAsked> toEnumerator;

    /** Begins anywhere: a late answer to the reader before this one must not be taken for one. */
    private final AtomicLong ids = new AtomicLong(ThreadLocalRandom.current().nextLong());

    private final Map<Long, Question> waiting = new ConcurrentHashMap<>();

    PendingRequests(Consumer<TrainerAsked> toEnumerator) {
        this.toEnumerator = toEnumerator;
    }

    private static final class Question {

        private final CompletableFuture<TrainerReply> reply = new CompletableFuture<>();
        private volatile String why = "the job's coordinator has not answered yet";
    }

    CompletableFuture<TrainerReply> ask(TrainerRequest request) {
        long id = ids.incrementAndGet();
        Question question = new Question();
        waiting.put(id, question);
        toEnumerator.accept(new TrainerAsked(id, request));
        return question.reply
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(late -> new TrainerReply.Pending(question.why))
                .whenComplete((answer, failure) -> waiting.remove(id));
    }

    void answered(TrainerAnswered event) {
        Question question = waiting.get(event.id());
        if (question == null) {
            return;
        }
        if (event.reply() instanceof TrainerReply.Awaited awaited) {
            question.why = awaited.why();
        } else {
            question.reply.complete(event.reply());
        }
    }
}
