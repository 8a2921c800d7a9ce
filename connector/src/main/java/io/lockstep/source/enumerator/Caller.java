package io.lockstep.source.enumerator;

import io.lockstep.protocol.Reply;
import io.lockstep.source.feedback.TrainerAnswered;
import java.util.function.Consumer;

/**
 * Where a request comes from. It gets one reply, and before that any number of reasons for the
 * delay.
 *
 * @param id of the question
 * @param answers takes the answers to it
 */
record Caller(long id, Consumer<TrainerAnswered> answers) {

    void reply(Reply.OfRun reply) {
        answers.accept(new TrainerAnswered(id, reply, true));
    }

    /** Says what the reply waits for. */
    void delayed(String why) {
        answers.accept(new TrainerAnswered(id, new Reply.Pending(why), false));
    }
}
