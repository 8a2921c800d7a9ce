package io.lockstep.source.enumerator;

import io.lockstep.Plural;
import io.lockstep.manifest.Progress;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.JobId;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.event.LanesReleased;
import io.lockstep.source.event.OfferAnswered;
import io.lockstep.source.event.StreamsSealed;
import io.lockstep.source.feedback.GenerationStarted;
import io.lockstep.source.feedback.RequestCheck;
import io.lockstep.source.feedback.RunDone;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.TrainerAsked;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FlinkRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals the streams, assigns the lanes once all readers have registered, and coordinates the
 * trainers.
 *
 * <p>The assignment depends only on the streams and the parallelism, so a restarted reader gets its
 * lanes back. Lanes may be moved while the job runs. Moves do not outlive the job, because a lane
 * has no position: see {@link LanePlacement}. All methods run on the coordinator's thread.
 */
public final class TrainingEnumerator implements SplitEnumerator<LaneSplit, EnumeratorState> {

    private static final Logger LOG = LoggerFactory.getLogger(TrainingEnumerator.class);

    private final SplitEnumeratorContext<LaneSplit> context;
    private final RunDirectory run;
    private final List<StreamSpec> specs;
    private final EnumeratorState restored;
    private final AsyncExecutor executor;
    private final RunOwnership ownership;
    private final CommitCoordinator commits;
    private final TrainerCoordinator coordinator;
    private final GenerationRegistry trainers;
    private List<StreamInfo> streams;

    /** Null until the lanes are dealt. */
    private LanePlacement placement;

    private LaneMover mover;
    private LaneMoveCoordinator moves;

    /** Whether this job is taking over the run, owns it, or has failed permanently. */
    private boolean taking;

    /** Answers to ranks whose close ends the run; empty until then. */
    private final List<Runnable> lastAnswers = new ArrayList<>();

    /** Whether readers have been asked to finish. */
    private boolean finished;

    /** Pending removals of servers from the run directory; true once one must not happen. */
    private final Map<Integer, AtomicBoolean> removals = new TreeMap<>();

    public TrainingEnumerator(
            SplitEnumeratorContext<LaneSplit> context,
            RunDirectory run,
            List<StreamSpec> specs,
            EnumeratorState restored) {
        this(
                context,
                run,
                specs,
                restored,
                new RunDirectoryExecutor(context::runInCoordinatorThread));
    }

    /**
     * @param executor closed with the enumerator
     */
    TrainingEnumerator(
            SplitEnumeratorContext<LaneSplit> context,
            RunDirectory run,
            List<StreamSpec> specs,
            EnumeratorState restored,
            AsyncExecutor executor) {
        this.context = context;
        this.executor = executor;
        this.run = run;
        this.specs = specs;
        this.restored = restored == null ? EnumeratorState.initial() : restored;
        String job = JobId.of(context.metricGroup());
        this.ownership = new RunOwnership(run, job, executor);
        this.trainers = new GenerationRegistry(job, restored != null);
        this.commits = new CommitCoordinator(run, executor, trainers, this.restored.commits());
        this.coordinator = new TrainerCoordinator(run, executor, trainers, commits, this::finish);
    }

    @Override
    public void start() {
        executor.retry(
                () -> {
                    RestoredRun.check(restored, run, specs);
                    return run.readGeneration();
                },
                this::read,
                failure ->
                        LOG.warn(
                                "Cannot read the run directory {}; trying again",
                                run.root(),
                                failure),
                this::fail);
    }

    private void read(Optional<GenerationEntry> known) {
        coordinator.restore(restored.generation(), known.orElse(null));
        context.callAsync(
                () -> new StreamSealer(run, Progress.NONE).seal(specs, restored.manifests()),
                this::sealed);
    }

    /** Fails the job. */
    private void fail(RuntimeException failure) {
        taking = true;
        ownership.fail(failure);
    }

    private void sealed(List<StreamInfo> now, Throwable failure) {
        if (failure != null) {
            fail(
                    new FlinkRuntimeException(
                            "The streams could not be sealed in "
                                    + run.root()
                                    + ": "
                                    + ExceptionUtils.stripCompletionException(failure).getMessage(),
                            failure));
            return;
        }
        streams = now;
        for (StreamInfo stream : streams) {
            LOG.info(
                    "Stream '{}': {}, {}, {} an epoch, fingerprint {}",
                    stream.name(),
                    Plural.of(stream.table().of(0).rows(), "row"),
                    Plural.of(stream.order().lanes(), "lane"),
                    Plural.of(stream.table().of(0).steps(), "step"),
                    stream.fingerprint());
        }
        dealWhenComplete();
    }

    @Override
    public void addReader(int subtask) {
        AtomicBoolean removal = removals.remove(subtask);
        if (removal != null) {
            removal.set(true);
        }
        if (placement == null) {
            dealWhenComplete();
            return;
        }
        mover.readerFailed(subtask);
        if (isOfThisRun(subtask, placement)) {
            deal(subtask);
            if (!trainers.done()) {
                mover.returnLanes(subtask);
            }
        }
    }

    /** Lanes are dealt to readers in canonical order, never in the order of registration. */
    private void dealWhenComplete() {
        if (streams == null || taking || !allReadersRegistered()) {
            return;
        }
        LanePlacement all = new LanePlacement(context.currentParallelism(), streams);
        for (int subtask = 0; subtask < context.currentParallelism(); subtask++) {
            if (!isOfThisRun(subtask, all)) {
                return;
            }
        }
        // The job takes over the run only here, so that a refused start does not disturb a running
        // job.
        taking = true;
        ownership.take(this::dealAll);
    }

    private boolean allReadersRegistered() {
        return context.registeredReaders().size() == context.currentParallelism();
    }

    /** Assigns lanes to the registered readers; the others get theirs when they register. */
    private void dealAll() {
        placement = new LanePlacement(context.currentParallelism(), streams);
        mover = new LaneMover(context, placement, this::removeServer);
        moves = new LaneMoveCoordinator(context.currentParallelism(), placement, mover);
        for (int subtask = 0; subtask < context.currentParallelism(); subtask++) {
            if (context.registeredReaders().containsKey(subtask)) {
                deal(subtask);
            }
        }
    }

    private void deal(int subtask) {
        context.sendEventToSourceReader(subtask, new StreamsSealed(streams));
        if (trainers.generation() > 0) {
            context.sendEventToSourceReader(subtask, new GenerationStarted(trainers.generation()));
        }
        context.assignSplits(new SplitsAssignment<>(Map.of(subtask, placement.of(subtask))));
        if (finished) {
            end(subtask);
        } else if (trainers.done()) {
            finish(() -> {});
        }
    }

    /**
     * Removes a failed reader's server from the run directory, unless the reader registers again
     * first: then it owns the entry again.
     */
    private void removeServer(int subtask) {
        AtomicBoolean registeredAgain = new AtomicBoolean();
        removals.put(subtask, registeredAgain);
        executor.retry(
                () -> {
                    if (!registeredAgain.get()) {
                        run.removeSink(subtask);
                    }
                    return subtask;
                },
                removed -> removals.remove(subtask, registeredAgain),
                failure ->
                        LOG.warn(
                                "Cannot remove the server of reader {} from {}; trying again",
                                subtask,
                                run.root(),
                                failure));
    }

    /**
     * Ends the run after every rank has closed.
     *
     * @param answer to the rank that closed; delivered to the readers before they finish
     */
    private void finish(Runnable answer) {
        if (finished) {
            answer.run();
            return;
        }
        lastAnswers.add(answer);
        if (lastAnswers.size() == 1) {
            ownership.done(this::endAll);
        }
    }

    private void endAll() {
        finished = true;
        if (mover != null) {
            mover.stop();
        }
        lastAnswers.forEach(Runnable::run);
        context.registeredReaders().keySet().forEach(this::end);
    }

    /**
     * Checks that the splits that a reader restored from a checkpoint are lanes of this run,
     * whichever reader had them. Fails the job if they are not.
     */
    private boolean isOfThisRun(int subtask, LanePlacement all) {
        List<LaneSplit> reported =
                context.registeredReaders().get(subtask).getReportedSplitsOnRegistration();
        for (LaneSplit lane : reported) {
            if (!all.has(lane)) {
                fail(
                        RestoredRun.anotherRun(
                                run,
                                "has lane "
                                        + lane.lane()
                                        + " of the stream '"
                                        + lane.stream()
                                        + "', which %s does not have"));
                return false;
            }
        }
        return true;
    }

    /**
     * Handles the failure of a reader. It gets its current lanes when it registers again, so the
     * splits are ignored.
     */
    @Override
    public void addSplitsBack(List<LaneSplit> splits, int subtask) {
        if (placement != null) {
            mover.readerFailed(subtask);
            LOG.info("Lanes {} wait for reader {} to come back", placement.of(subtask), subtask);
        }
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
        throw new UnsupportedOperationException("lanes are dealt, not asked for");
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (event instanceof TrainerAsked asked) {
            answer(asked.request(), new Caller(asked.id(), answer -> send(subtask, answer)));
        } else if (event instanceof OfferAnswered answered) {
            mover.answered(answered);
        } else if (event instanceof LanesReleased released) {
            mover.released(subtask, released);
        } else {
            throw new IllegalArgumentException("not an event of this source: " + event);
        }
    }

    private void answer(Request.ToRun request, Caller caller) {
        // A rank can close without the streams, so that a run can end.
        if (streams == null && !(request instanceof Request.Close)) {
            caller.reply(new Reply.Pending("the streams of the run are still being planned"));
            return;
        }
        try {
            new RequestCheck(streams == null ? List.of() : streams).check(request);
        } catch (HandoffException e) {
            caller.reply(new Reply.Failure(e.code(), e.getMessage()));
            return;
        }
        if (request instanceof Request.Move move) {
            move(move, caller::reply);
            return;
        }
        long before = trainers.generation();
        coordinator.answer(request, caller);
        if (trainers.generation() != before) {
            LOG.info("Generation {} of trainers begins", trainers.generation());
            for (int reader : context.registeredReaders().keySet()) {
                send(reader, new GenerationStarted(trainers.generation()));
            }
        }
    }

    private void move(Request.Move request, Consumer<Reply.OfRun> reply) {
        if (placement == null) {
            reply.accept(new Reply.Pending("the lanes are not dealt yet"));
        } else if (trainers.done()) {
            reply.accept(new Reply.Failure(ErrorCode.DONE, "the run is done: no lane is needed"));
        } else {
            moves.move(request, reply);
        }
    }

    /** Sends an answer, unless the reader that asked is gone. */
    private void send(int subtask, SourceEvent event) {
        if (context.registeredReaders().containsKey(subtask)) {
            context.sendEventToSourceReader(subtask, event);
        }
    }

    private void end(int subtask) {
        context.sendEventToSourceReader(subtask, new RunDone());
        context.signalNoMoreSplits(subtask);
    }

    @Override
    public EnumeratorState snapshotState(long checkpointId) {
        SortedMap<String, String> manifests = new TreeMap<>(restored.manifests());
        SortedMap<String, String> fingerprints = new TreeMap<>(restored.fingerprints());
        if (streams != null) {
            for (StreamInfo stream : streams) {
                manifests.put(stream.name(), stream.manifest());
                fingerprints.put(stream.name(), stream.fingerprint());
            }
        }
        return new EnumeratorState(
                manifests,
                fingerprints,
                Math.max(trainers.generation(), restored.generation()),
                commits.reports());
    }

    @Override
    public void close() {
        LOG.info("Ranks that have not closed: {}", trainers.awaited());
        executor.close();
    }
}
