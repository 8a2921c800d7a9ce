package io.lockstep.source.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Reply.Pending;
import io.lockstep.protocol.Reply.Registered;
import io.lockstep.protocol.Request;
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
    private static final Request.ToRun REQUEST = new Request.Close(1, 0);

    private final List<TrainerAsked> asked = new ArrayList<>();
    private PendingQuestions requests;

    @Test
    void anEnumeratorThatSaysNothingIsNotWaitedForAsLongAsOtherRanks() {
        CompletableFuture<Reply.OfRun> reply =
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
        CompletableFuture<Reply.OfRun> reply = requests.ask(REQUEST, LONG);
        // Asked later, and held only as long as the timeout for a silent enumerator.
        requests.ask(REQUEST, SHORT).join();
        assertThat(reply).isNotDone();

        requests.answered(new TrainerAnswered(asked.get(0).id(), new Registered(1), true));

        assertThat(reply.join()).isEqualTo(new Registered(1));
    }

    /** An enumerator that immediately reports which ranks a rank waits for. */
    private boolean await(TrainerAsked question) {
        asked.add(question);
        requests.answered(
                new TrainerAnswered(question.id(), new Pending("waiting for rank 1"), false));
        return true;
    }
}
