package io.lockstep.source.reader;

import io.lockstep.source.GroupStep;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Steps that are ready to be emitted, between the pool that makes them and the fetcher that hands
 * them to Flink. Thread-safe. Waiting does not poll.
 */
final class ReadyQueue {

    private final Set<LaneSplit> recalled = new TreeSet<>();
    private List<GroupStep> ready = new ArrayList<>();
    private Throwable failure;
    private boolean woken;
    private boolean ended;
    private boolean closed;

    /** Takes ownership of the step; after {@link #close()}, closes it immediately. */
    void add(GroupStep step) {
        synchronized (this) {
            if (!closed) {
                ready.add(step);
                notifyAll();
                return;
            }
        }
        step.close();
    }

    /** Removes and returns the steps of a group; the caller closes them. */
    synchronized List<GroupStep> drop(LaneGroup group) {
        List<GroupStep> dropped =
                ready.stream().filter(step -> step.group().equals(group)).toList();
        ready.removeAll(dropped);
        return dropped;
    }

    /** Makes each {@link #take()} from now on throw. */
    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }

    /** Asks the fetcher to remove lanes. */
    synchronized void recall(Collection<LaneSplit> lanes) {
        recalled.addAll(lanes);
        notifyAll();
    }

    /** Returns the given lanes that are to be removed; each lane once. */
    synchronized Set<LaneSplit> takeRecalled(Set<LaneSplit> of) {
        Set<LaneSplit> taken = new TreeSet<>(recalled);
        taken.retainAll(of);
        recalled.removeAll(taken);
        return taken;
    }

    /** Makes a waiting {@link #await()} return. */
    synchronized void wakeUp() {
        woken = true;
        notifyAll();
    }

    /** Signals end of input. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Waits for a step, a failure, lanes to remove, the end of input or a wake-up. */
    synchronized void await() throws InterruptedException {
        while (ready.isEmpty() && failure == null && recalled.isEmpty() && !woken && !ended) {
            wait();
        }
        woken = false;
    }

    /** Returns the ready steps without waiting. The caller closes them. */
    synchronized List<GroupStep> take() throws StepFailedException {
        if (failure != null) {
            throw new StepFailedException(failure);
        }
        List<GroupStep> taken = ready;
        ready = new ArrayList<>();
        return taken;
    }

    /** Closes the remaining steps. */
    void close() {
        List<GroupStep> left;
        synchronized (this) {
            closed = true;
            left = ready;
            ready = new ArrayList<>();
        }
        left.forEach(GroupStep::close);
    }
}
