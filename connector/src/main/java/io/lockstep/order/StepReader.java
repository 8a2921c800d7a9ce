package io.lockstep.order;

/**
 * Reads the steps of one epoch, in any sequence, and keeps each lane's window between calls, so
 * that steps in a row cost each window's permutation once. It holds about 4 bytes for each row of
 * one window a lane. Not thread-safe.
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
     * What stands at each place of each lane in a step.
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
        int perLane = order.settings().perLane();
        long rows = lane.epoch.rows();
        long position = plan.step() * perLane;
        int place = 0;
        while (place < perLane) {
            long at = (position + place) % rows;
            Window window = lane.moveTo(at);
            int from = (int) (at - window.firstPosition());
            int count = Math.min(perLane - place, window.rows() - from);
            boolean padding = position + place >= rows;
            plan.fill(lane.epoch.lane(), place, window, lane.permuted, from, count, padding);
            place += count;
        }
    }

    /** A lane and the window that it was last read in. */
    private static final class LaneCursor {

        private final LaneEpoch epoch;
        private Window window;
        private WindowOrder permuted;

        LaneCursor(LaneEpoch epoch) {
            this.epoch = epoch;
        }

        Window moveTo(long position) {
            Window wanted = epoch.windows().get(epoch.windowAt(position));
            if (wanted != window) {
                permuted = wanted.permute();
                window = wanted;
            }
            return window;
        }
    }
}
