package io.lockstep.source.enumerator;

import io.lockstep.run.GenerationEntry;
import io.lockstep.run.GenerationEntry.Start;
import io.lockstep.run.LaunchEntry;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Answers what the trainers ask of the run as a whole, and keeps what has to outlive the answer: in
 * the run directory before the answer is given. All methods run on the coordinator's thread.
 */
final class TrainerDesk {

    private static final String ANOTHER_LAUNCH = "another launch of the trainers has begun";

    private final RunDirectory run;
    private final GenerationRegistry trainers;
    private final CommitDesk commits;
    private long recordedLaunch;
    private final StartLine startLine = new StartLine();

    /** Who waits for other ranks. A repeated request takes the place of the former. */
    private final Map<TrainerRequest, Consumer<TrainerReply>> waiting = new LinkedHashMap<>();

    TrainerDesk(RunDirectory run, GenerationRegistry trainers, CommitDesk commits) {
        this.run = run;
        this.trainers = trainers;
        this.commits = commits;
    }

    /** Takes up where an earlier coordinator ended, by what a checkpoint and the directory hold. */
    void restore(EnumeratorState checkpointed) throws IOException {
        Optional<GenerationEntry> known = run.readGeneration();
        known.ifPresent(trainers::restore);
        trainers.atLeast(checkpointed.generation());
        if (known.isPresent() && trainers.continues(known.get())) {
            startLine.restore(known.get().starts());
        }
        commits.restore(checkpointed.commits());
    }

    /** Answers at once or later; where a rank has to wait for others, at once and later. */
    void answer(TrainerRequest request, Consumer<TrainerReply> reply) {
        if (request instanceof TrainerRequest.Register || request instanceof TrainerRequest.Start) {
            long before = trainers.generation();
            meet(request, reply);
            if (trainers.generation() != before) {
                // Those that still wait do so for a launch that may never come.
                List<Consumer<TrainerReply>> others = List.copyOf(waiting.values());
                waiting.clear();
                others.forEach(other -> other.accept(new TrainerReply.Pending(ANOTHER_LAUNCH)));
            }
        } else if (request instanceof TrainerRequest.Closed closed) {
            reply.accept(remembered(trainers.closed(closed)));
        } else if (request instanceof TrainerRequest.Commit commit) {
            commits.commit(commit, reply);
        } else {
            reply.accept(commits.resume((TrainerRequest.Resume) request));
        }
    }

    /** Answers a rank, and with it those that have waited for its word. */
    private void meet(TrainerRequest request, Consumer<TrainerReply> reply) {
        TrainerReply answer = answerOf(request);
        reply.accept(answer);
        if (answer instanceof TrainerReply.Awaited) {
            waiting.put(request, reply);
            return;
        }
        waiting.remove(request);
        for (TrainerRequest other : List.copyOf(waiting.keySet())) {
            TrainerReply now = answerOf(other);
            if (!(now instanceof TrainerReply.Awaited)) {
                waiting.remove(other).accept(now);
            }
        }
    }

    private TrainerReply answerOf(TrainerRequest request) {
        if (request instanceof TrainerRequest.Register register) {
            long before = trainers.generation();
            TrainerReply answer = trainers.register(register);
            if (trainers.generation() != before) {
                startLine.clear();
            }
            return remembered(answer);
        }
        return start((TrainerRequest.Start) request);
    }

    private TrainerReply remembered(TrainerReply reply) {
        if (reply instanceof TrainerReply.Registered
                || reply instanceof TrainerReply.Acknowledged) {
            remember();
        }
        return reply;
    }

    private void remember() {
        try {
            GenerationEntry entry = trainers.entry(startLine.said());
            if (entry.generation() != recordedLaunch) {
                run.writeLaunch(
                        new LaunchEntry(
                                entry.generation(), entry.job(), entry.launch(), entry.world()));
                recordedLaunch = entry.generation();
            }
            run.writeGeneration(entry);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to the run directory " + run.root(), e);
        }
    }

    private TrainerReply start(TrainerRequest.Start request) {
        return trainers.fence(request.generation()).orElseGet(() -> startUnfenced(request));
    }

    private TrainerReply startUnfenced(TrainerRequest.Start request) {
        Start start =
                new Start(request.stream(), request.rank(), request.round(), request.agreement());
        if (startLine.say(start)) {
            remember();
        }
        return startLine.answer(start, trainers.world());
    }
}
