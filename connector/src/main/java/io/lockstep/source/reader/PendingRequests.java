package io.lockstep.source.reader;

import io.lockstep.Futures;
import io.lockstep.source.event.TrainerAnswered;
import io.lockstep.source.event.TrainerAsked;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Pairs the enumerator's answers with the trainers' requests. Requests are idempotent, so whoever
 * has no answer in time is told to ask again. Thread-safe.
 */
final class PendingRequests {

    /** How long the enumerator may take for its first word. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Consumer<TrainerAsked> toEnumerator;
    private final Duration patience;

    /** Begins anywhere: a late answer to the reader before this one must not be taken for one. */
    private final AtomicLong ids = new AtomicLong(ThreadLocalRandom.current().nextLong());

    private final Map<Long, Question> waiting = new ConcurrentHashMap<>();

    PendingRequests(Consumer<TrainerAsked> toEnumerator) {
        this(toEnumerator, PATIENCE);
    }

    /**
     * @param patience how long the enumerator may take for its first word
     */
    PendingRequests(Consumer<TrainerAsked> toEnumerator, Duration patience) {
        this.toEnumerator = toEnumerator;
        this.patience = patience;
    }

    private static final class Question {

        private final CompletableFuture<TrainerReply> reply = new CompletableFuture<>();

        /** The enumerator has answered, if only that others are awaited. */
        private final CompletableFuture<Void> heard = new CompletableFuture<>();

        private volatile String why = "the job's coordinator has not answered yet";

        private TrainerReply pending() {
            return new TrainerReply.Pending(why);
        }
    }

    /**
     * Asks.
     *
     * @param hold for how long the answer of a rank is kept back that has to wait for others
     */
    CompletableFuture<TrainerReply> ask(TrainerRequest request, Duration hold) {
        long id = ids.incrementAndGet();
        Question question = new Question();
        waiting.put(id, question);
        toEnumerator.accept(new TrainerAsked(id, request));
        Futures.onFailure(
                question.heard.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS),
                late -> question.reply.complete(question.pending()));
        return question.reply
                .orTimeout(hold.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> question.pending())
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
        question.heard.complete(null);
    }
}
