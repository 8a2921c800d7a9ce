package io.lockstep.source.enumerator;

import io.lockstep.run.GenerationEntry;
import io.lockstep.run.GenerationEntry.Start;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the trainers' requests to the run as a whole. State that must outlive an answer is
 * durable in the run directory before the answer is sent. All methods run on the coordinator's
 * thread.
 */
final class TrainerCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(TrainerCoordinator.class);

    private static final String ANOTHER_LAUNCH = "another launch of the trainers has begun";

    /**
     * How long the close of a rank may wait for the run directory. A run must be able to end while
     * its disk is full; then only the record that the rank has closed is lost.
     */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final RunDirectory run;
    private final AsyncExecutor executor;
    private final GenerationRegistry trainers;
    private final CommitCoordinator commits;
    private final GenerationWriter writer;
    private final StartBarrier barrier = new StartBarrier();
    private final Consumer<Runnable> done;

    /** Requests that wait for other ranks. A repeated request replaces the earlier one. */
    private final Map<TrainerRequest, Consumer<TrainerReply>> waiting = new LinkedHashMap<>();

    private boolean restored;

    /**
     * @param done ends the run after every rank has closed; first runs its argument, which answers
     *     a rank; may be called more than once
     */
    TrainerCoordinator(
            RunDirectory run,
            AsyncExecutor executor,
            GenerationRegistry trainers,
            CommitCoordinator commits,
            Consumer<Runnable> done) {
        this.run = run;
        this.executor = executor;
        this.trainers = trainers;
        this.commits = commits;
        this.writer = new GenerationWriter(run, executor);
        this.done = done;
    }

    /**
     * Restores the state of an earlier coordinator.
     *
     * @param generation the newest one in a checkpoint
     * @param known the entry in the run directory; null if there is none
     */
    void restore(long generation, @Nullable GenerationEntry known) {
        if (known != null) {
            trainers.restore(known);
            writer.restore(known);
            if (trainers.continues(known)) {
                barrier.restore(known.starts());
            }
        }
        trainers.atLeast(generation);
        restored = true;
        commits.restore();
    }

    /** Answers immediately or later; a rank that has to wait is notified first. */
    void answer(TrainerRequest request, Consumer<TrainerReply> reply) {
        if (!restored) {
            reply.accept(
                    new TrainerReply.Pending(
                            "the run directory " + run.root() + " is still being read"));
        } else if (request instanceof TrainerRequest.Register
                || request instanceof TrainerRequest.Start) {
            long before = trainers.generation();
            meet(request, reply);
            if (trainers.generation() != before) {
                // The remaining requests wait for a launch that may never register.
                List<Consumer<TrainerReply>> others = List.copyOf(waiting.values());
                waiting.clear();
                others.forEach(other -> other.accept(new TrainerReply.Pending(ANOTHER_LAUNCH)));
            }
        } else if (request instanceof TrainerRequest.Closed closed) {
            close(closed, reply);
        } else if (request instanceof TrainerRequest.Commit commit) {
            commits.commit(commit, reply);
        } else {
            reply.accept(commits.resume((TrainerRequest.Resume) request));
        }
    }

    /** Answers a rank and the ranks that were waiting for it. */
    private void meet(TrainerRequest request, Consumer<TrainerReply> reply) {
        TrainerReply answer = answerOf(request);
        if (answer instanceof TrainerReply.Awaited) {
            reply.accept(answer);
            waiting.put(request, reply);
            return;
        }
        whenDurable(answer, reply);
        waiting.remove(request);
        for (TrainerRequest other : List.copyOf(waiting.keySet())) {
            TrainerReply now = answerOf(other);
            if (!(now instanceof TrainerReply.Awaited)) {
                whenDurable(now, waiting.remove(other));
            }
        }
    }

    private TrainerReply answerOf(TrainerRequest request) {
        if (request instanceof TrainerRequest.Register register) {
            long before = trainers.generation();
            TrainerReply answer = trainers.register(register);
            if (trainers.generation() != before) {
                barrier.clear();
            }
            return answer;
        }
        return start((TrainerRequest.Start) request);
    }

    private void whenDurable(TrainerReply answer, Consumer<TrainerReply> reply) {
        if (answer instanceof TrainerReply.Refused) {
            reply.accept(answer);
            return;
        }
        writer.write(
                trainers.entry(barrier.arrived()),
                () -> reply.accept(answer),
                why -> reply.accept(new TrainerReply.Awaited(why)));
    }

    private TrainerReply start(TrainerRequest.Start request) {
        return trainers.fence(request.generation()).orElseGet(() -> startUnfenced(request));
    }

    private TrainerReply startUnfenced(TrainerRequest.Start request) {
        Start start =
                new Start(request.stream(), request.rank(), request.round(), request.agreement());
        barrier.arrive(start);
        return barrier.answer(start, trainers.world());
    }

    private void close(TrainerRequest.Closed request, Consumer<TrainerReply> reply) {
        TrainerReply answer = trainers.closed(request);
        if (answer instanceof TrainerReply.Refused) {
            reply.accept(answer);
            return;
        }
        AtomicBoolean answered = new AtomicBoolean();
        Runnable answerOnce =
                () -> {
                    if (!answered.getAndSet(true)) {
                        if (trainers.done()) {
                            done.accept(() -> reply.accept(answer));
                        } else {
                            reply.accept(answer);
                        }
                    }
                };
        writer.write(
                trainers.entry(barrier.arrived()),
                answerOnce,
                why -> reply.accept(new TrainerReply.Awaited(why)));
        if (!answered.get()) {
            executor.schedule(() -> closeUnwritten(request, answered, answerOnce), CLOSE_LIMIT);
        }
    }

    private void closeUnwritten(
            TrainerRequest.Closed request, AtomicBoolean answered, Runnable answerOnce) {
        if (!answered.get()) {
            LOG.warn(
                    "The run directory {} does not take that rank {} has closed; going on without",
                    run.root(),
                    request.rank());
            answerOnce.run();
        }
    }
}
