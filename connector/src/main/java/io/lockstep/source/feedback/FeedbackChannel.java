package io.lockstep.source.feedback;

import io.lockstep.batch.Allocators;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.flink.metrics.MetricGroup;

/**
 * Carries what trainers want against the stream: from the writer at the end of a chain back to the
 * source reader at its head.
 *
 * <p>Flink lets records flow one way only, so the two find each other in a table of this JVM by
 * their task's attempt, which is the same for all that is chained and never used again. Each side
 * holds the channel from its creation to its close; with the last hold the channel leaves the table
 * and its memory is released.
 *
 * <p>Thread-safe. Callbacks run on the caller's thread and must not block.
 */
public final class FeedbackChannel implements AutoCloseable {

    /** The metric variable that names a task's attempt, the same for every operator of a chain. */
    private static final String ATTEMPT = "<task_attempt_id>";

    private static final Map<String, FeedbackChannel> CHANNELS = new HashMap<>();

    private final String task;
    private final BufferAllocator allocator;
    private final List<Runnable> atEnd = new ArrayList<>();
    private int holds;

    /** Read without the lock: the sink's threads call with locks of their own held. */
    private volatile ReaderSide reader;

    private SinkSide sink;
    private Assignment assignment;
    private long generation;
    private boolean done;

    private FeedbackChannel(String task) {
        this.task = task;
        this.allocator = Allocators.root(Long.MAX_VALUE);
    }

    /**
     * The task attempt that a metric group belongs to: the name under which its channel is held.
     */
    public static String taskOf(MetricGroup group) {
        return Objects.requireNonNull(
                group.getAllVariables().get(ATTEMPT),
                "this operator's metrics do not name the task attempt");
    }

    /** Takes a hold on the channel of a task attempt; the first makes it. */
    public static FeedbackChannel hold(String task) {
        synchronized (CHANNELS) {
            FeedbackChannel channel = CHANNELS.computeIfAbsent(task, FeedbackChannel::new);
            channel.holds++;
            return channel;
        }
    }

    /** The memory of the steps on their way through this task; closed with the last hold. */
    public BufferAllocator allocator() {
        return allocator;
    }

    public String task() {
        return task;
    }

    /** Runs with the last hold, before the memory is released: when neither side works any more. */
    public synchronized void atEnd(Runnable action) {
        atEnd.add(action);
    }

    /** The reader reports for duty. */
    public void attach(ReaderSide side) {
        reader = side;
    }

    /** The sink reports for duty and is told at once what it missed. */
    public synchronized void attach(SinkSide side) {
        sink = side;
        if (generation > 0) {
            side.generation(generation);
        }
        if (assignment != null) {
            side.assigned(assignment);
        }
        if (done) {
            side.done();
        }
    }

    /** From the sink: wanted steps of lanes, in place of those that were wanted of them before. */
    public void want(List<Want> wants) {
        ReaderSide side = reader;
        if (side != null) {
            side.want(wants);
        }
    }

    /**
     * From the sink: a question to the enumerator. Completes on any thread.
     *
     * @param hold for how long a rank may be kept that has to wait for others
     */
    public CompletableFuture<TrainerReply> ask(TrainerRequest request, Duration hold) {
        ReaderSide side = reader;
        return side == null
                ? CompletableFuture.completedFuture(
                        new TrainerReply.Pending("the source of this task is still starting"))
                : side.ask(request, hold);
    }

    /** From the reader: the lanes of this task. */
    public synchronized void assigned(Assignment now) {
        assignment = now;
        if (sink != null) {
            sink.assigned(now);
        }
    }

    /** From the reader: trainers of earlier generations are fenced from now on. */
    public synchronized void generation(long now) {
        generation = now;
        if (sink != null) {
            sink.generation(now);
        }
    }

    /** From the reader: the trainers have declared the run done. */
    public synchronized void done() {
        done = true;
        if (sink != null) {
            sink.done();
        }
    }

    /** Gives one hold back. The holder must have closed its steps before. */
    @Override
    public void close() {
        synchronized (CHANNELS) {
            if (--holds > 0) {
                return;
            }
            CHANNELS.remove(task);
        }
        synchronized (this) {
            atEnd.forEach(Runnable::run);
        }
        allocator.close();
    }
}
