package io.lockstep.source.reader;

import io.lockstep.source.LaneStep;
import java.util.ArrayList;
import java.util.List;

/**
 * Steps that are ready to be emitted, between the pool that makes them and the fetcher that hands
 * them to Flink. Thread-safe; waiting costs nothing.
 */
final class ReadyQueue {

    private List<LaneStep> ready = new ArrayList<>();
    private Throwable failure;
    private boolean woken;
    private boolean ended;
    private boolean closed;

    /** Takes over the step; after {@link #close()} it is closed at once. */
    void add(LaneStep step) {
        synchronized (this) {
            if (!closed) {
                ready.add(step);
                notifyAll();
                return;
            }
        }
        step.close();
    }

    /** Makes the next {@link #take()} throw. */
    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }

    /** Makes a waiting {@link #take()} return with what there is, be it nothing. */
    synchronized void wakeUp() {
        woken = true;
        notifyAll();
    }

    /** No step follows that anybody wants. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Waits for a step, a failure, the end or a wake-up. The caller closes the steps. */
    synchronized List<LaneStep> take() throws InterruptedException, StepFailedException {
        while (ready.isEmpty() && failure == null && !woken && !ended) {
            wait();
        }
        if (failure != null) {
            throw new StepFailedException(failure);
        }
        woken = false;
        List<LaneStep> taken = ready;
        ready = new ArrayList<>();
        return taken;
    }

    /** Closes what is left. */
    void close() {
        List<LaneStep> left;
        synchronized (this) {
            closed = true;
            left = ready;
            ready = new ArrayList<>();
        }
        left.forEach(LaneStep::close);
    }
}
