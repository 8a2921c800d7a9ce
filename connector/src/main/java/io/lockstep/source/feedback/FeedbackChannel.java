package io.lockstep.source.feedback;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.metrics.MetricGroup;

/**
 * Carries messages against the stream: from the writer at the end of a chain up to the source
 * reader at its head, and back down beside the records.
 *
 * <p>Flink lets records flow one way only, so the two find each other in a table of this JVM by
 * their task's attempt, which is the same for all that is chained and never used again. Each side
 * holds the channel from its creation to its close; with the last hold the channel leaves the
 * table.
 *
 * <p>Thread-safe. A message is received on the sender's thread, and receiving it must not block.
 */
public final class FeedbackChannel implements AutoCloseable {

    /** The metric variable that names a task's attempt, the same for every operator of a chain. */
    private static final String ATTEMPT = "<task_attempt_id>";

    private static final Map<String, FeedbackChannel> CHANNELS = new HashMap<>();

    private final String task;
    private int holds;

    /** Read without the lock: the sink's threads send with locks of their own held. */
    private volatile Consumer<ToReader> reader;

    private Consumer<ToSink> sink;

    /** The state that was sent down, by kind: a sink may attach after the reader has sent it. */
    private final Map<Class<?>, ToSink> latest = new LinkedHashMap<>();

    private FeedbackChannel(String task) {
        this.task = task;
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

    public String task() {
        return task;
    }

    /**
     * Attaches the reader.
     *
     * @param receiver takes what comes up, on the sink's threads
     */
    public void attachReader(Consumer<ToReader> receiver) {
        reader = receiver;
    }

    /**
     * Attaches the sink, which gets at once what was sent before.
     *
     * @param receiver takes what comes down, mostly on Flink's threads
     */
    public synchronized void attachSink(Consumer<ToSink> receiver) {
        sink = receiver;
        List.copyOf(latest.values()).forEach(receiver);
    }

    /**
     * Sends a message from the sink to the reader.
     *
     * @return whether there is a reader to receive it
     */
    public boolean up(ToReader message) {
        Consumer<ToReader> receiver = reader;
        if (receiver == null) {
            return false;
        }
        receiver.accept(message);
        return true;
    }

    /** Sends a message from the reader to the sink. */
    public synchronized void down(ToSink message) {
        if (!(message instanceof TrainerAnswered)) {
            latest.put(message.getClass(), message);
        }
        if (sink != null) {
            sink.accept(message);
        }
    }

    /** The newest message of a kind that was sent down. */
    public synchronized <M extends ToSink> Optional<M> latest(Class<M> kind) {
        return Optional.ofNullable(kind.cast(latest.get(kind)));
    }

    /** Gives one hold back. */
    @Override
    public void close() {
        synchronized (CHANNELS) {
            if (--holds == 0) {
                CHANNELS.remove(task);
            }
        }
    }
}
