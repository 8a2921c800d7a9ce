package io.lockstep.source.enumerator;

import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.GenerationEntry.Start;
import io.lockstep.run.RunDirectory;
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
    private final Map<Request.ToRun, Caller> waiting = new LinkedHashMap<>();

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
    void answer(Request.ToRun request, Caller caller) {
        if (!restored) {
            caller.reply(
                    new Reply.Pending("the run directory " + run.root() + " is still being read"));
        } else if (request instanceof Request.Register || request instanceof Request.Start) {
            long before = trainers.generation();
            answerOrWait(request.withoutWait(), caller);
            if (trainers.generation() != before) {
                // The remaining requests wait for a launch that may never register.
                List<Caller> others = List.copyOf(waiting.values());
                waiting.clear();
                others.forEach(other -> other.reply(new Reply.Pending(ANOTHER_LAUNCH)));
            }
        } else if (request instanceof Request.Close close) {
            close(close, caller);
        } else if (request instanceof Request.Commit commit) {
            commits.commit(commit, caller);
        } else {
            caller.reply(commits.resume((Request.Resume) request));
        }
    }

    /** Answers a rank and the ranks that were waiting for it. */
    private void answerOrWait(Request.ToRun request, Caller caller) {
        Reply.OfRun answer = answerOf(request);
        if (answer instanceof Reply.Pending pending) {
            caller.delayed(pending.why());
            waiting.put(request, caller);
            return;
        }
        whenDurable(answer, caller);
        waiting.remove(request);
        answerWaiting();
    }

    private void answerWaiting() {
        for (Request.ToRun other : List.copyOf(waiting.keySet())) {
            Reply.OfRun now = answerOf(other);
            if (!(now instanceof Reply.Pending)) {
                whenDurable(now, waiting.remove(other));
            }
        }
    }

    /** Pending while the rank waits for others. */
    private Reply.OfRun answerOf(Request.ToRun request) {
        if (request instanceof Request.Register register) {
            long before = trainers.generation();
            Reply.OfRun answer = trainers.register(register);
            if (trainers.generation() != before) {
                barrier.clear();
            }
            return answer;
        }
        return start((Request.Start) request);
    }

    private void whenDurable(Reply.OfRun answer, Caller caller) {
        if (answer instanceof Reply.Failure) {
            caller.reply(answer);
            return;
        }
        writer.write(
                trainers.entry(barrier.arrived()), () -> caller.reply(answer), caller::delayed);
    }

    private Reply.OfRun start(Request.Start request) {
        return trainers.fence(request).orElseGet(() -> startUnfenced(request));
    }

    private Reply.OfRun startUnfenced(Request.Start request) {
        Start start =
                new Start(request.stream(), request.rank(), request.round(), request.agreement());
        barrier.arrive(start);
        return barrier.answer(start, trainers.world(), trainers::isClosed, trainers::isRegistered);
    }

    private void close(Request.Close request, Caller caller) {
        Reply.OfRun answer = trainers.closed(request);
        if (answer instanceof Reply.Failure) {
            caller.reply(answer);
            return;
        }
        answerWaiting();
        AtomicBoolean answered = new AtomicBoolean();
        Runnable answerOnce =
                () -> {
                    if (!answered.getAndSet(true)) {
                        if (trainers.done()) {
                            done.accept(() -> caller.reply(answer));
                        } else {
                            caller.reply(answer);
                        }
                    }
                };
        writer.write(trainers.entry(barrier.arrived()), answerOnce, caller::delayed);
        if (!answered.get()) {
            executor.schedule(() -> closeUnwritten(request, answered, answerOnce), CLOSE_LIMIT);
        }
    }

    private void closeUnwritten(
            Request.Close request, AtomicBoolean answered, Runnable answerOnce) {
        if (!answered.get()) {
            LOG.warn(
                    "The run directory {} does not take that rank {} has closed; going on without",
                    run.root(),
                    request.rank());
            answerOnce.run();
        }
    }
}
