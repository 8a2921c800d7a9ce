package io.lockstep.source.testsuite;

import io.lockstep.dataset.EpochTable;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The trainer of one run. It passes over the data written so far and, like every trainer, keeps its
 * position outside of the job and its checkpoints.
 *
 * <p>The mini cluster runs in this process, so the readers find their trainer by the name of the
 * run. Thread-safe; listeners are called without holding a lock.
 */
final class Trainer implements AutoCloseable {

    private static final Map<String, Trainer> TRAINERS = new ConcurrentHashMap<>();

    private final String run;
    private final Map<Integer, Lane> lanes = new TreeMap<>();
    private final List<Runnable> listeners = new ArrayList<>();

    /** The allowed passes over a lane, and its position. */
    private static final class Lane {
        private long epochs;
        private long epoch;
        private long step;

        private boolean hasNext() {
            return epoch < epochs;
        }
    }

    Trainer(String run) {
        this.run = run;
        TRAINERS.put(run, this);
    }

    static Trainer of(String run) {
        return TRAINERS.get(run);
    }

    /** Allows one more pass over a lane. */
    void mayPassOver(int lane) {
        List<Runnable> told;
        synchronized (this) {
            lanes.computeIfAbsent(lane, absent -> new Lane()).epochs++;
            told = List.copyOf(listeners);
        }
        told.forEach(Runnable::run);
    }

    synchronized int lanes() {
        return lanes.size();
    }

    synchronized void listen(Runnable listener) {
        listeners.add(listener);
    }

    synchronized void unlisten(Runnable listener) {
        listeners.remove(listener);
    }

    /** The remaining steps of the allowed passes over a lane. */
    synchronized Want want(LaneSplit split, long generation, EpochTable table) {
        Lane lane = lanes.get(split.lane());
        long from = table.position(lane.epoch, lane.step);
        LaneGroup group = new LaneGroup(generation, 0, split.stream(), List.of(split.lane()));
        return new Want(group, from, table.stepsOfFirst(lane.epochs));
    }

    /** Takes a step if it is the lane's next. */
    synchronized boolean take(GroupStep step, EpochTable table) {
        Lane lane = lanes.get(step.group().first().lane());
        if (!lane.hasNext() || step.epoch() != lane.epoch || step.step() != lane.step) {
            return false;
        }
        lane.step++;
        if (lane.step == table.of(lane.epoch).steps()) {
            lane.epoch++;
            lane.step = 0;
        }
        return true;
    }

    synchronized boolean isThroughWithAll() {
        return lanes.values().stream().noneMatch(Lane::hasNext);
    }

    @Override
    public void close() {
        TRAINERS.remove(run);
    }
}
