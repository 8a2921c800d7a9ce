package io.lockstep.source.enumerator;

import io.lockstep.manifest.Progress;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.event.GenerationStarted;
import io.lockstep.source.event.RunDone;
import io.lockstep.source.event.StreamsSealed;
import io.lockstep.source.event.TrainerAnswered;
import io.lockstep.source.event.TrainerAsked;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.split.LaneSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.util.FlinkRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals the streams, deals the lanes once all readers are there, and keeps the register of the
 * trainers.
 *
 * <p>Who gets which lane depends on the streams and the parallelism alone, so a reader that comes
 * back gets its lanes again, and nothing has to be remembered of the deal. All methods run on the
 * coordinator's thread.
 */
public final class TrainingEnumerator implements SplitEnumerator<LaneSplit, EnumeratorState> {

    private static final Logger LOG = LoggerFactory.getLogger(TrainingEnumerator.class);

    private static final String JOB = "<job_id>";

    private final SplitEnumeratorContext<LaneSplit> context;
    private final RunDirectory run;
    private final List<StreamSpec> specs;
    private final EnumeratorState restored;
    private final CommitDesk commits;
    private final TrainerDesk desk;
    private final GenerationRegistry trainers;
    private List<StreamInfo> streams;
    private boolean dealt;

    public TrainingEnumerator(
            SplitEnumeratorContext<LaneSplit> context,
            RunDirectory run,
            List<StreamSpec> specs,
            EnumeratorState restored) {
        this.context = context;
        this.run = run;
        this.specs = specs;
        this.restored = restored == null ? EnumeratorState.initial() : restored;
        this.trainers =
                new GenerationRegistry(
                        context.metricGroup().getAllVariables().getOrDefault(JOB, "job"),
                        restored != null);
        this.commits = new CommitDesk(run, context::callAsync, trainers);
        this.desk = new TrainerDesk(run, trainers, commits);
    }

    @Override
    public void start() {
        try {
            run.clearSinks();
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
            throw new FlinkRuntimeException("The streams could not be sealed", failure);
        }
        streams = now;
        for (StreamInfo stream : streams) {
            LOG.info(
                    "Stream '{}': {} rows, {} lanes, {} steps, fingerprint {}",
                    stream.name(),
                    stream.rows(),
                    stream.order().lanes(),
                    stream.steps(),
                    stream.fingerprint());
        }
        dealWhenComplete();
    }

    @Override
    public void addReader(int subtask) {
        if (dealt) {
            deal(subtask);
        } else {
            dealWhenComplete();
        }
    }

    /** Readers are dealt to in canonical order and never in the order in which they come. */
    private void dealWhenComplete() {
        if (streams == null || context.registeredReaders().size() < context.currentParallelism()) {
            return;
        }
        dealt = true;
        for (int subtask = 0; subtask < context.currentParallelism(); subtask++) {
            deal(subtask);
        }
    }

    private void deal(int subtask) {
        context.sendEventToSourceReader(subtask, new StreamsSealed(streams));
        if (trainers.generation() > 0) {
            context.sendEventToSourceReader(subtask, new GenerationStarted(trainers.generation()));
        }
        List<LaneSplit> lanes = LaneDealer.lanesOf(subtask, context.currentParallelism(), streams);
        context.assignSplits(new SplitsAssignment<>(Map.of(subtask, lanes)));
        if (trainers.done()) {
            end(subtask);
        }
    }

    /** A reader that comes back is dealt to as it registers. */
    @Override
    public void addSplitsBack(List<LaneSplit> splits, int subtask) {
        LOG.info("Lanes {} wait for reader {} to come back", splits, subtask);
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
        throw new UnsupportedOperationException("lanes are dealt, not asked for");
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (event instanceof TrainerAsked asked) {
            answer(subtask, asked);
        } else {
            throw new IllegalArgumentException("not an event of this source: " + event);
        }
    }

    private void answer(int subtask, TrainerAsked asked) {
        long before = trainers.generation();
        desk.answer(
                asked.request(), reply -> send(subtask, new TrainerAnswered(asked.id(), reply)));
        if (trainers.generation() != before) {
            LOG.info("Generation {} of trainers begins", trainers.generation());
            for (int reader : context.registeredReaders().keySet()) {
                send(reader, new GenerationStarted(trainers.generation()));
            }
        }
        if (trainers.done()) {
            context.registeredReaders().keySet().forEach(this::end);
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
        if (streams != null) {
            streams.forEach(stream -> manifests.put(stream.name(), stream.manifest()));
        }
        return new EnumeratorState(manifests, trainers.generation(), commits.reports());
    }

    @Override
    public void close() {
        LOG.info("Ranks that have not closed: {}", trainers.awaited());
    }
}
