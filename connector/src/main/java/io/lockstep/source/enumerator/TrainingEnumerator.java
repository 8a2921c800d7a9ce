package io.lockstep.source.enumerator;

import io.lockstep.Plural;
import io.lockstep.manifest.Progress;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.event.LanesReleased;
import io.lockstep.source.event.OfferAnswered;
import io.lockstep.source.event.StreamsSealed;
import io.lockstep.source.feedback.GenerationStarted;
import io.lockstep.source.feedback.RunDone;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.TrainerAnswered;
import io.lockstep.source.feedback.TrainerAsked;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import io.lockstep.source.split.LaneSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * Seals the streams, deals the lanes once all readers are there, and keeps the register of the
 * trainers.
 *
 * <p>Who is dealt which lane depends on the streams and the parallelism alone, so a reader that
 * comes back gets its lanes again. While the job runs lanes may be moved; that is not remembered
 * beyond it, since a lane has no position: see {@link LanePlacement}. All methods run on the
 * coordinator's thread.
 */
public final class TrainingEnumerator implements SplitEnumerator<LaneSplit, EnumeratorState> {

    private static final Logger LOG = LoggerFactory.getLogger(TrainingEnumerator.class);

    private static final String JOB = "<job_id>";

    /** How often it is looked whether another job has taken over. */
    private static final long CLAIM_MILLIS = 10_000;

    private final SplitEnumeratorContext<LaneSplit> context;
    private final RunDirectory run;
    private final List<StreamSpec> specs;
    private final EnumeratorState restored;
    private final JobClaim claim;
    private final CommitDesk commits;
    private final TrainerDesk desk;
    private final GenerationRegistry trainers;
    private List<StreamInfo> streams;

    /** Null until the lanes are dealt. */
    private LanePlacement placement;

    private LaneMover mover;
    private MoveDesk moves;

    public TrainingEnumerator(
            SplitEnumeratorContext<LaneSplit> context,
            RunDirectory run,
            List<StreamSpec> specs,
            EnumeratorState restored) {
        this.context = context;
        this.run = run;
        this.specs = specs;
        this.restored = restored == null ? EnumeratorState.initial() : restored;
        String job = context.metricGroup().getAllVariables().getOrDefault(JOB, "job");
        this.claim = new JobClaim(run, job);
        this.trainers = new GenerationRegistry(job, restored != null);
        this.commits = new CommitDesk(run, context::callAsync, trainers);
        this.desk = new TrainerDesk(run, trainers, commits);
    }

    @Override
    public void start() {
        try {
            RestoredRun.check(restored, run, specs);
            desk.restore(restored);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the run directory " + run.root(), e);
        }
        context.callAsync(
                () -> new StreamSealer(run, Progress.NONE).seal(specs, restored.manifests()),
                this::sealed);
    }

    private void sealed(List<StreamInfo> now, Throwable failure) {
        if (failure != null) {
            throw new FlinkRuntimeException(
                    "The streams could not be sealed in "
                            + run.root()
                            + ": "
                            + ExceptionUtils.stripCompletionException(failure).getMessage(),
                    failure);
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
        if (placement != null) {
            mover.lost(subtask);
            checkReported(subtask);
            deal(subtask);
            if (!trainers.done()) {
                mover.bringHome(subtask);
            }
        } else {
            dealWhenComplete();
        }
    }

    /** Readers are dealt to in canonical order and never in the order in which they come. */
    private void dealWhenComplete() {
        if (streams == null || context.registeredReaders().size() < context.currentParallelism()) {
            return;
        }
        placement = new LanePlacement(context.currentParallelism(), streams);
        for (int subtask = 0; subtask < context.currentParallelism(); subtask++) {
            checkReported(subtask);
        }
        takeOver();
        mover = new LaneMover(context, run, placement);
        moves = new MoveDesk(context.currentParallelism(), placement, mover);
        for (int subtask = 0; subtask < context.currentParallelism(); subtask++) {
            deal(subtask);
        }
    }

    /**
     * From here on this job serves the run, and no other. Not before: a start that is refused
     * leaves one that runs alone.
     */
    private void takeOver() {
        try {
            claim.take();
            run.clearSinks();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the run directory " + run.root(), e);
        }
        context.callAsync(run::readJob, claim::check, CLAIM_MILLIS, CLAIM_MILLIS);
    }

    private void deal(int subtask) {
        context.sendEventToSourceReader(subtask, new StreamsSealed(streams));
        if (trainers.generation() > 0) {
            context.sendEventToSourceReader(subtask, new GenerationStarted(trainers.generation()));
        }
        context.assignSplits(new SplitsAssignment<>(Map.of(subtask, placement.of(subtask))));
        if (trainers.done()) {
            end(subtask);
        }
    }

    /**
     * What a reader had in the checkpoint that it comes from must be lanes of this run. Where they
     * were does not matter.
     */
    private void checkReported(int subtask) {
        List<LaneSplit> reported =
                context.registeredReaders().get(subtask).getReportedSplitsOnRegistration();
        for (LaneSplit lane : reported) {
            if (!placement.has(lane)) {
                throw RestoredRun.anotherRun(
                        run,
                        "has lane "
                                + lane.lane()
                                + " of the stream '"
                                + lane.stream()
                                + "', which %s does not have");
            }
        }
    }

    /** A reader that comes back is dealt to as it registers: what its own are then. */
    @Override
    public void addSplitsBack(List<LaneSplit> splits, int subtask) {
        if (placement != null) {
            mover.lost(subtask);
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
            answer(subtask, asked);
        } else if (event instanceof OfferAnswered answered) {
            mover.answered(answered);
        } else if (event instanceof LanesReleased released) {
            mover.released(subtask, released);
        } else {
            throw new IllegalArgumentException("not an event of this source: " + event);
        }
    }

    private void answer(int subtask, TrainerAsked asked) {
        Consumer<TrainerReply> reply =
                answer -> send(subtask, new TrainerAnswered(asked.id(), answer));
        if (asked.request() instanceof TrainerRequest.Move move) {
            move(move, reply);
            return;
        }
        long before = trainers.generation();
        desk.answer(asked.request(), reply);
        if (trainers.generation() != before) {
            LOG.info("Generation {} of trainers begins", trainers.generation());
            for (int reader : context.registeredReaders().keySet()) {
                send(reader, new GenerationStarted(trainers.generation()));
            }
        }
        if (trainers.done()) {
            if (mover != null) {
                mover.stop();
            }
            context.registeredReaders().keySet().forEach(this::end);
        }
    }

    private void move(TrainerRequest.Move request, Consumer<TrainerReply> reply) {
        if (placement == null) {
            reply.accept(new TrainerReply.Pending("the lanes are not dealt yet"));
        } else if (trainers.done()) {
            reply.accept(new TrainerReply.Refused("done", "the run is done: no lane is needed"));
        } else {
            moves.move(request, reply);
        }
    }

    /** A reader that has gone since it asked has no use for the answer. */
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
                manifests, fingerprints, trainers.generation(), commits.reports());
    }

    @Override
    public void close() {
        LOG.info("Ranks that have not closed: {}", trainers.awaited());
    }
}
