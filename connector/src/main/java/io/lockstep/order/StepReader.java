package io.lockstep.order;

/**
 * Reads steps of one epoch in any sequence. Caches each lane's current window between calls, so
 * that consecutive steps compute each window's permutation once. Uses about 4 bytes per row of one
 * window per lane. Not thread-safe.
 */
public final class StepReader {

    private final Order order;
    private final long epoch;
    private final LaneCursor[] lanes;

    public StepReader(Order order, long epoch) {
        this.order = order;
        this.epoch = epoch;
        this.lanes = new LaneCursor[order.settings().lanes()];
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] = new LaneCursor(order.laneEpoch(epoch, lane));
        }
    }

    /**
     * Returns the sample at each place of each lane in a step.
     *
     * @throws NoSuchPlaceException if the epoch has no such step
     */
    public StepPlan step(long step) {
        order.checkStep(step);
        StepPlan plan = new StepPlan(order, epoch, step);
        for (LaneCursor lane : lanes) {
            fill(plan, lane);
        }
        return plan;
    }

    private void fill(StepPlan plan, LaneCursor lane) {
        int place = 0;
        for (Stretch stretch : lane.epoch.stretches(plan.step())) {
            Window window = lane.moveTo(stretch.window());
            plan.fill(lane.epoch.lane(), place, window, lane.permuted, stretch);
            place += stretch.count();
        }
    }

    /** A lane and the window that it last read from. */
    private static final class LaneCursor {

        private final LaneEpoch epoch;
        private Window window;
        private WindowOrder permuted;

        LaneCursor(LaneEpoch epoch) {
            this.epoch = epoch;
        }

        Window moveTo(int number) {
            if (window == null || window.number() != number) {
                window = epoch.windows().get(number);
                permuted = window.permute();
            }
            return window;
        }
    }
}
