package io.lockstep.source.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.source.feedback.TrainerReply.Awaited;
import io.lockstep.source.feedback.TrainerReply.Pending;
import io.lockstep.source.feedback.TrainerReply.Registered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a trainer's question stays pending. */
@Timeout(60)
class PendingQuestionsTest {

    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);
    private static final TrainerRequest REQUEST = new TrainerRequest.Closed(1, 0);

    private final List<TrainerAsked> asked = new ArrayList<>();
    private PendingQuestions requests;

    @Test
    void anEnumeratorThatSaysNothingIsNotWaitedForAsLongAsOtherRanks() {
        CompletableFuture<TrainerReply> reply =
                new PendingQuestions(asked::add, SHORT).ask(REQUEST, LONG);

        assertThat(reply.join())
                .isEqualTo(new Pending("the job's coordinator has not answered yet"));
    }

    @Test
    void aRankIsHeldForAsLongAsItSaysWhileOthersAreAwaited() {
        requests = new PendingQuestions(this::await, LONG);

        assertThat(requests.ask(REQUEST, SHORT).join())
                .isEqualTo(new Pending("waiting for rank 1"));
    }

    @Test
    void theOthersComingEndsTheHold() {
        requests = new PendingQuestions(this::await, SHORT);
        CompletableFuture<TrainerReply> reply = requests.ask(REQUEST, LONG);
        // Asked later, and held only as long as the timeout for a silent enumerator.
        requests.ask(REQUEST, SHORT).join();
        assertThat(reply).isNotDone();

        requests.answered(new TrainerAnswered(asked.get(0).id(), new Registered(1)));

        assertThat(reply.join()).isEqualTo(new Registered(1));
    }

    /** An enumerator that immediately reports which ranks a rank waits for. */
    private boolean await(TrainerAsked question) {
        asked.add(question);
        requests.answered(new TrainerAnswered(question.id(), new Awaited("waiting for rank 1")));
        return true;
    }
}
