package io.lockstep.source.testsuite;

import io.lockstep.Futures;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Assignment;
import io.lockstep.source.feedback.FeedbackChannel;
import io.lockstep.source.feedback.PendingQuestions;
import io.lockstep.source.feedback.ToSink;
import io.lockstep.source.feedback.TrainerAnswered;
import io.lockstep.source.feedback.Wants;
import io.lockstep.source.split.LaneSplit;
import java.time.Duration;
import java.util.List;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the place of a sink at the end of a source's feedback channel: registers the trainer, sends
 * its wants, and closes when it is finished.
 */
final class LanePuller implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LanePuller.class);

    private static final Request.Register REGISTER =
            new Request.Register("launch", 0, 1, "localhost", "trainer", null, null);

    private static final Duration HOLD = Duration.ofSeconds(5);

    private final FeedbackChannel channel;
    private final PendingQuestions questions;
    private final Trainer trainer;
    private final boolean closesAtEnd;
    private final Runnable listener = this::wantAll;
    private volatile Assignment assignment;
    private volatile long generation;

    LanePuller(MetricGroup metrics, Trainer trainer, boolean closesAtEnd) {
        this.channel = FeedbackChannel.hold(FeedbackChannel.taskOf(metrics));
        this.questions = new PendingQuestions(channel::up);
        this.trainer = trainer;
        this.closesAtEnd = closesAtEnd;
        channel.attachSink(this::receive);
        trainer.listen(listener);
    }

    /**
     * Ignores other messages: the puller's generation comes from the reply to its own registration.
     */
    private void receive(ToSink message) {
        if (message instanceof Assignment now) {
            assignment = now;
            register();
        } else if (message instanceof TrainerAnswered answered) {
            questions.answered(answered);
        }
    }

    /** Repeats the request until it gets a final answer; the source holds unanswered requests. */
    private void register() {
        Futures.onFailure(
                questions
                        .ask(REGISTER, HOLD)
                        .thenAccept(
                                reply -> {
                                    if (reply instanceof Reply.Registered registered) {
                                        generation = registered.generation();
                                        wantAll();
                                    } else if (reply instanceof Reply.Pending) {
                                        register();
                                    } else {
                                        throw new AssertionError("not registered: " + reply);
                                    }
                                }),
                failure -> LOG.error("The trainer could not register", failure));
    }

    private void wantAll() {
        Assignment now = assignment;
        if (now != null && generation > 0) {
            now.lanes().forEach(this::want);
        }
    }

    private void want(LaneSplit lane) {
        channel.up(new Wants(List.of(trainer.want(lane, generation, LaneRecords.TABLE))));
    }

    /** Returns whether the step is the next wanted one; if so, moves the want past it. */
    boolean take(GroupStep step) {
        boolean taken = trainer.take(step, LaneRecords.TABLE);
        if (taken) {
            want(step.group().first());
        }
        return taken;
    }

    /** Call it after forwarding a step, which may have been the trainer's last one. */
    void closeIfThrough() {
        if (closesAtEnd && trainer.isThroughWithAll()) {
            Futures.onFailure(
                    questions.ask(new Request.Close(generation, REGISTER.rank()), HOLD),
                    failure -> LOG.error("The trainer could not close", failure));
        }
    }

    @Override
    public void close() {
        trainer.unlisten(listener);
        channel.close();
    }
}
