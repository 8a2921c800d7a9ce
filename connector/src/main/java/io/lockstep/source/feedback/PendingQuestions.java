package io.lockstep.source.feedback;

import io.lockstep.Futures;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Matches the enumerator's answers with a sink's questions. Requests are idempotent: if no answer
 * arrives in time, the caller is asked to repeat the request. Thread-safe.
 */
public final class PendingQuestions {

    /** The timeout for the enumerator's first response. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Predicate<TrainerAsked> up;
    private final Duration patience;

    /**
     * Starts at a random number, so that a late answer to the previous reader matches no question.
     */
    private final AtomicLong ids = new AtomicLong(ThreadLocalRandom.current().nextLong());

    private final Map<Long, Question> waiting = new ConcurrentHashMap<>();

    /**
     * @param up sends a question; returns false if no reader can take it yet
     */
    public PendingQuestions(Predicate<TrainerAsked> up) {
        this(up, PATIENCE);
    }

    /**
     * @param patience the timeout for the enumerator's first response
     */
    PendingQuestions(Predicate<TrainerAsked> up, Duration patience) {
        this.up = up;
        this.patience = patience;
    }

    private static final class Question {

        private final CompletableFuture<Reply.OfRun> reply = new CompletableFuture<>();

        /**
         * Completes with the enumerator's first response, which may be that it waits for other
         * ranks.
         */
        private final CompletableFuture<Void> responded = new CompletableFuture<>();

        /** The reply if none comes in time. */
        private volatile Reply.OfRun pending =
                new Reply.Pending("the job's coordinator has not answered yet");
    }

    /**
     * Asks a question. The reply may complete on any thread.
     *
     * @param hold how long to hold a request that waits for other ranks
     */
    public CompletableFuture<Reply.OfRun> ask(Request.ToRun request, Duration hold) {
        long id = ids.incrementAndGet();
        Question question = new Question();
        waiting.put(id, question);
        if (!up.test(new TrainerAsked(id, request))) {
            waiting.remove(id);
            return CompletableFuture.completedFuture(
                    new Reply.Pending("the source of this task is still starting"));
        }
        Futures.onFailure(
                question.responded.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS),
                late -> question.reply.complete(question.pending));
        return question.reply
                .orTimeout(hold.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> question.pending)
                .whenComplete((answer, failure) -> waiting.remove(id));
    }

    public void answered(TrainerAnswered event) {
        Question question = waiting.get(event.id());
        if (question == null) {
            return;
        }
        if (event.isFinal()) {
            question.reply.complete(event.reply());
        } else {
            question.pending = event.reply();
        }
        question.responded.complete(null);
    }
}
