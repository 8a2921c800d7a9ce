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
 * Carries messages upstream, from the writer at the end of a chain to the source reader at its
 * head, and back downstream beside the records.
 *
 * <p>Flink's records flow downstream only, so the two find each other through a table in this JVM,
 * keyed by their task attempt, which all chained operators share and which is never reused. Each
 * side holds the channel from its creation to its close; the table drops the channel with its last
 * hold.
 *
 * <p>Thread-safe. A message is received on the sender's thread, and receiving it must not block.
 */
public final class FeedbackChannel implements AutoCloseable {

    /** The metric variable with the task attempt's id, which all operators of a chain share. */
    private static final String ATTEMPT = "<task_attempt_id>";

    private static final Map<String, FeedbackChannel> CHANNELS = new HashMap<>();

    private final String task;
    private int holds;

    /** Read without the lock, because the sink's threads send while holding their own locks. */
    private volatile Consumer<ToReader> reader;

    private Consumer<ToSink> sink;

    /** The state sent downstream, by kind, for a sink that attaches later. */
    private final Map<Class<?>, ToSink> latest = new LinkedHashMap<>();

    private FeedbackChannel(String task) {
        this.task = task;
    }

    /** The task attempt of a metric group, which is the key of its channel. */
    public static String taskOf(MetricGroup group) {
        return Objects.requireNonNull(
                group.getAllVariables().get(ATTEMPT),
                "this operator's metrics do not name the task attempt");
    }

    /** Takes a hold on the channel of a task attempt; the first hold creates it. */
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
     * @param receiver receives upstream messages, on the sink's threads
     */
    public void attachReader(Consumer<ToReader> receiver) {
        reader = receiver;
    }

    /**
     * Attaches the sink, which immediately receives the state sent before.
     *
     * @param receiver receives downstream messages, mostly on Flink's threads
     */
    public synchronized void attachSink(Consumer<ToSink> receiver) {
        sink = receiver;
        List.copyOf(latest.values()).forEach(receiver);
    }

    /**
     * Sends a message from the sink to the reader.
     *
     * @return whether a reader is attached
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

    /** The newest downstream message of a kind. */
    public synchronized <M extends ToSink> Optional<M> latest(Class<M> kind) {
        return Optional.ofNullable(kind.cast(latest.get(kind)));
    }

    /** Releases one hold. */
    @Override
    public void close() {
        synchronized (CHANNELS) {
            if (--holds == 0) {
                CHANNELS.remove(task);
            }
        }
    }
}
