package io.lockstep.sink;

import io.lockstep.handoff.verbs.Upstream;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.LogEntry;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.feedback.FeedbackChannel;
import io.lockstep.source.feedback.PendingQuestions;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.feedback.Wants;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Connects a hand-off server to its task's feedback channel and to the run directory. */
final class ChannelUpstream implements Upstream {

    private final FeedbackChannel channel;
    private final PendingQuestions questions;
    private final RunDirectory run;

    ChannelUpstream(FeedbackChannel channel, PendingQuestions questions, RunDirectory run) {
        this.channel = channel;
        this.questions = questions;
        this.run = run;
    }

    @Override
    public void want(List<Want> wants) {
        channel.up(new Wants(wants));
    }

    @Override
    public CompletableFuture<Reply.OfRun> ask(Request.ToRun request, Duration hold) {
        return questions.ask(request, hold);
    }

    @Override
    public List<SinkEntry> sinks() throws IOException {
        return run.readSinks();
    }

    @Override
    public void log(LogEntry entry) throws IOException {
        run.log(entry);
    }
}
