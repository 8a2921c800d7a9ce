package io.lockstep.sink;

import io.lockstep.UserException;
import io.lockstep.audit.DigestWriter;
import io.lockstep.batch.Allocators;
import io.lockstep.handoff.server.HandoffServer;
import io.lockstep.handoff.server.HandoffSettings;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.RunToken;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.GroupStep;
import io.lockstep.source.JobId;
import io.lockstep.source.feedback.Assignment;
import io.lockstep.source.feedback.BindHost;
import io.lockstep.source.feedback.FeedbackChannel;
import io.lockstep.source.feedback.GenerationStarted;
import io.lockstep.source.feedback.PendingQuestions;
import io.lockstep.source.feedback.RunDone;
import io.lockstep.source.feedback.ToSink;
import io.lockstep.source.feedback.TrainerAnswered;
import io.lockstep.source.split.LaneSplit;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;

/**
 * The writer of one sink subtask: stores the steps and runs the server from which trainers pull.
 *
 * <p>{@code write} stores and returns, and {@code flush} does not wait. So neither a trainer that
 * pauses for any length of time nor a run directory that rejects writes delays a checkpoint.
 */
final class TrainerSinkWriter implements StatefulSinkWriter<GroupStep, DrainMark> {

    private static final String HOST = "<host>";
    private static final String LOCALHOST = "localhost";

    /** How long the end of a run waits for its last records. */
    private static final Duration LAST_RECORDS = Duration.ofSeconds(10);

    private static final Duration LAST_RECORDS_CANCELLED = Duration.ofSeconds(3);

    private final ServerAnnouncement announcement;
    private final int subtask;
    private final int attempt;
    private final String host;
    private final RunDirectory run;
    private final String job;
    private final FeedbackChannel channel;
    private final PendingQuestions questions;
    private final BufferAllocator allocator;
    private final HandoffServer server;

    /** Null if no digests are kept. */
    private final DigestWriter digests;

    /** Whether the run is done; the source reports it before it ends. On Flink's task thread. */
    private boolean done;

    /** Whether the input ended before the run was done. On Flink's task thread. */
    private boolean drained;

    private TrainerSinkWriter(
            RunDirectory run,
            WriterInitContext context,
            String host,
            FeedbackChannel channel,
            PendingQuestions questions,
            BufferAllocator allocator,
            HandoffServer server,
            DigestWriter digests) {
        this.run = run;
        this.job = JobId.of(context.metricGroup());
        this.subtask = context.getTaskInfo().getIndexOfThisSubtask();
        this.attempt = context.getTaskInfo().getAttemptNumber();
        this.announcement = new ServerAnnouncement(run, subtask, channel.task());
        this.host = host;
        this.channel = channel;
        this.questions = questions;
        this.allocator = allocator;
        this.server = server;
        this.digests = digests;
    }

    static TrainerSinkWriter create(
            WriterInitContext context, RunDirectory run, RunToken token, SinkSettings settings)
            throws IOException {
        String task = FeedbackChannel.taskOf(context.metricGroup());
        String host = hostOf(context.metricGroup());
        FeedbackChannel channel = FeedbackChannel.hold(task);
        PendingQuestions questions = new PendingQuestions(channel::up);
        BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
        DigestWriter digests =
                settings.digests().isOn() ? DigestWriter.open(run, settings.digests()) : null;
        int attempt = context.getTaskInfo().getAttemptNumber();
        HandoffServer server;
        try {
            server =
                    HandoffServer.start(
                            new HandoffSettings(
                                    run.root(),
                                    task,
                                    token,
                                    settings.tls(),
                                    settings.bindOr(
                                            channel.latest(BindHost.class).map(BindHost::address)),
                                    settings.advertised(host),
                                    settings.ports(),
                                    HandoffSettings.DEV_SHM,
                                    HandoffSettings.DEFAULT_SLOTS),
                            new ChannelUpstream(channel, questions, run),
                            allocator,
                            digests);
        } catch (BindException e) {
            close(digests);
            allocator.close();
            channel.close();
            if (attempt == 0) {
                throw new UserException(e.getMessage(), e);
            }
            // The previous attempt may not have released its port yet: Flink retries.
            throw e;
        } catch (IOException | RuntimeException e) {
            close(digests);
            allocator.close();
            channel.close();
            throw e;
        }
        TrainerSinkWriter writer =
                new TrainerSinkWriter(
                        run, context, host, channel, questions, allocator, server, digests);
        writer.count(context.metricGroup());
        channel.attachSink(writer::receive);
        return writer;
    }

    /**
     * The name under which the cluster itself reaches this task manager; a pod's name may not
     * resolve. An embedded cluster has no name for itself.
     */
    private static String hostOf(SinkWriterMetricGroup metrics) {
        String host = metrics.getAllVariables().getOrDefault(HOST, "");
        return host.isEmpty() ? LOCALHOST : host;
    }

    private void count(SinkWriterMetricGroup metrics) {
        metrics.gauge("stepsServed", () -> server.stats().served());
        metrics.gauge("stepsRemade", () -> server.stats().remade());
        metrics.gauge("stepsDropped", () -> server.stats().dropped());
        metrics.gauge("stepsHeld", () -> server.stats().held());
        metrics.gauge("connections", () -> server.stats().connections());
        if (digests != null) {
            metrics.gauge("digestsLost", digests::lostDigests);
        }
    }

    @Override
    public void write(GroupStep step, Context context) {
        server.offer(step);
    }

    @Override
    public void flush(boolean endOfInput) {
        // A draining savepoint comes after the end of the input.
        drained |= endOfInput && !done;
        // The server has the steps; their records are written on a separate thread.
        if (digests != null) {
            digests.writeSoon();
        }
    }

    @Override
    public List<DrainMark> snapshotState(long checkpointId) {
        return drained ? List.of(new DrainMark()) : List.of();
    }

    private void receive(ToSink message) {
        if (message instanceof Assignment assignment) {
            assigned(assignment);
        } else if (message instanceof GenerationStarted started) {
            server.generation(started.generation());
        } else if (message instanceof TrainerAnswered answered) {
            questions.answered(answered);
        } else if (message instanceof RunDone) {
            done = true;
            server.done();
        }
    }

    private void assigned(Assignment assignment) {
        server.assigned(assignment);
        Map<String, List<Integer>> lanes = new TreeMap<>();
        for (LaneSplit lane : assignment.lanes()) {
            lanes.computeIfAbsent(lane.stream(), absent -> new ArrayList<>()).add(lane.lane());
        }
        announcement.announce(
                new SinkEntry(
                        subtask, server.uri(), host, attempt, channel.task(), lanes, server.ca()));
    }

    @Override
    public void close() throws IOException {
        long started = System.nanoTime();
        try {
            server.close(done ? Optional.empty() : run.job().failureOf(job));
            announcement.close();
        } finally {
            if (digests != null) {
                // A cancelled task has little time, of which the steps above may have taken a part
                // if the run directory hangs; the writer continues in the background.
                Duration spent = Duration.ofNanos(System.nanoTime() - started);
                digests.close(done ? LAST_RECORDS : LAST_RECORDS_CANCELLED.minus(spent));
            }
            channel.close();
            allocator.close();
        }
    }

    private static void close(DigestWriter digests) {
        if (digests != null) {
            digests.close();
        }
    }
}
