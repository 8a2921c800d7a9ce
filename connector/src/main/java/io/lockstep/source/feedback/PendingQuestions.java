package io.lockstep.source.feedback;

import io.lockstep.Futures;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Pairs the enumerator's answers with a sink's questions. Requests are idempotent: without an
 * answer in time the caller is told to ask again. Thread-safe.
 */
public final class PendingQuestions {

    /** How long the enumerator may take for its first word. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Predicate<TrainerAsked> up;
    private final Duration patience;

    /** Begins anywhere: a late answer to the reader before this one must not be taken for one. */
    private final AtomicLong ids = new AtomicLong(ThreadLocalRandom.current().nextLong());

    private final Map<Long, Question> waiting = new ConcurrentHashMap<>();

    /**
     * @param up sends a question on its way; false where it cannot yet
     */
    public PendingQuestions(Predicate<TrainerAsked> up) {
        this(up, PATIENCE);
    }

    /**
     * @param patience how long the enumerator may take for its first word
     */
    PendingQuestions(Predicate<TrainerAsked> up, Duration patience) {
        this.up = up;
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
     * Asks. The reply may come on any thread.
     *
     * @param hold for how long the answer of a rank is kept back that has to wait for others
     */
    public CompletableFuture<TrainerReply> ask(TrainerRequest request, Duration hold) {
        long id = ids.incrementAndGet();
        Question question = new Question();
        waiting.put(id, question);
        if (!up.test(new TrainerAsked(id, request))) {
            waiting.remove(id);
            return CompletableFuture.completedFuture(
                    new TrainerReply.Pending("the source of this task is still starting"));
        }
        Futures.onFailure(
                question.heard.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS),
                late -> question.reply.complete(question.pending()));
        return question.reply
                .orTimeout(hold.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> question.pending())
                .whenComplete((answer, failure) -> waiting.remove(id));
    }

    public void answered(TrainerAnswered event) {
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
