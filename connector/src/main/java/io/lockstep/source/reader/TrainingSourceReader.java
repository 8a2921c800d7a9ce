package io.lockstep.source.reader;

import io.lockstep.run.JobStore;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.GroupStep;
import io.lockstep.source.JobId;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.event.LanesOffered;
import io.lockstep.source.event.LanesRecalled;
import io.lockstep.source.event.LanesReleased;
import io.lockstep.source.event.StreamsSealed;
import io.lockstep.source.feedback.BindHost;
import io.lockstep.source.feedback.FeedbackChannel;
import io.lockstep.source.feedback.ToSink;
import io.lockstep.source.split.LaneSplit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;

/**
 * Reads lanes: emits the steps that trainers want and the {@link LaneService} makes.
 *
 * <p>A split has no state; the trainers own its position.
 */
@SuppressWarnings("try") // Flink's close() may throw any exception, including InterruptedException
public final class TrainingSourceReader
        extends SingleThreadMultiplexSourceReaderBase<GroupStep, GroupStep, LaneSplit, LaneSplit> {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final LaneService service;
    private final SourceReaderContext context;

    /**
     * The move of each lane that is about to leave. Used on Flink's thread only, like all methods
     * here.
     */
    private final Map<LaneSplit, Long> leaving = new TreeMap<>();

    private TrainingSourceReader(
            LaneService service, SourceReaderContext context, Consumer<Exception> failed) {
        super(
                () -> new LaneSplitReader(service, failed),
                (step, output, lane) -> {
                    service.emitted(step);
                    output.collect(step);
                },
                closingSoon(context.getConfiguration()),
                context);
        this.service = service;
        this.context = context;
    }

    /** Creates the reader of one source subtask. */
    public static TrainingSourceReader create(
            SourceReaderContext context,
            RunDirectory run,
            List<StreamSpec> streams,
            CacheSettings cache,
            ReaderSettings settings)
            throws IOException {
        JobStore job = run.job();
        String id = JobId.of(context.metricGroup());
        LaneService service;
        try {
            service =
                    new LaneService(
                            run,
                            streams,
                            cache,
                            settings,
                            FeedbackChannel.taskOf(context.metricGroup()),
                            ReaderMemory.of(
                                    context.getConfiguration(), context.currentParallelism()),
                            context::sendSourceEventToCoordinator);
        } catch (IOException | RuntimeException e) {
            job.report(id, e);
            throw e;
        }
        context.metricGroup().gauge("stepBytesInUse", service::usedBytes);
        context.metricGroup().gauge("cacheFilesDamaged", service::damagedFiles);
        context.metricGroup().gauge("stepsDamaged", service::damagedSteps);
        context.getConfiguration()
                .getOptional(TaskManagerOptions.BIND_HOST)
                .ifPresent(address -> service.toSink(new BindHost(address)));
        return new TrainingSourceReader(service, context, failure -> job.report(id, failure));
    }

    /**
     * The fetcher may be loading a manifest from a hanging file system; cancelling the task does
     * not wait for it.
     */
    private static Configuration closingSoon(Configuration taskManager) {
        Configuration configuration = new Configuration(taskManager);
        configuration.set(
                SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, CLOSE_TIMEOUT.toMillis());
        return configuration;
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (event instanceof StreamsSealed known) {
            service.sealed(known.streams());
        } else if (event instanceof ToSink message) {
            service.toSink(message);
        } else if (event instanceof LanesOffered offered) {
            service.offered(offered);
        } else if (event instanceof LanesRecalled recalled) {
            recalled.lanes().forEach(lane -> leaving.put(lane, recalled.move()));
            service.queue().recall(recalled.lanes());
        } else {
            super.handleSourceEvents(event);
        }
    }

    /**
     * Handles lanes that end with the run or leave this reader, after their last step was emitted.
     */
    @Override
    protected void onSplitFinished(Map<String, LaneSplit> finished) {
        Map<Long, List<LaneSplit>> left =
                finished.values().stream()
                        .filter(leaving::containsKey)
                        .sorted()
                        .collect(Collectors.groupingBy(leaving::remove));
        left.forEach(
                (move, lanes) ->
                        context.sendSourceEventToCoordinator(new LanesReleased(move, lanes)));
    }

    @Override
    protected LaneSplit initializedState(LaneSplit split) {
        return split;
    }

    @Override
    protected LaneSplit toSplitType(String splitId, LaneSplit state) {
        return state;
    }

    @Override
    public void close() throws Exception {
        try {
            super.close();
        } finally {
            service.close();
        }
    }
}
