package io.lockstep.materialize;

import io.lockstep.cache.Damage;

/** The steps of a lane that were gathered from one open window. Thread-safe. */
final class GatheredSteps {

    private final int lane;
    private final long epoch;
    private final DamageListener listener;
    private long from = Long.MAX_VALUE;
    private long to = -1;

    GatheredSteps(int lane, long epoch, DamageListener listener) {
        this.lane = lane;
        this.epoch = epoch;
        this.listener = listener;
    }

    synchronized void add(long step) {
        from = Math.min(from, step);
        to = Math.max(to, step);
    }

    /** Reports that a row group of the window was damaged while it was pinned. */
    void damaged(Damage damage) {
        DamagedSteps steps;
        synchronized (this) {
            if (to < 0) {
                return;
            }
            steps = new DamagedSteps(lane, epoch, from, to, damage.toString());
        }
        listener.damaged(steps);
    }
}
