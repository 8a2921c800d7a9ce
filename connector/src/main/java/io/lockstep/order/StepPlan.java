package io.lockstep.order;

/** What stands at each place of one step, for all lanes. */
public final class StepPlan {

    private final Order order;
    private final long epoch;
    private final long step;
    private final int perLane;
    private final long[] samples;
    private final boolean[] padding;

    StepPlan(Order order, long epoch, long step) {
        if (step < 0 || step >= order.steps()) {
            throw new OrderException(
                    "there is no step "
                            + step
                            + ": an epoch has the steps 0 to "
                            + (order.steps() - 1));
        }
        if (epoch < 0) {
            throw new OrderException("there is no epoch " + epoch);
        }
        this.order = order;
        this.epoch = epoch;
        this.step = step;
        this.perLane = order.settings().perLane();
        this.samples = new long[order.settings().batch()];
        this.padding = new boolean[samples.length];
    }

    void fill(LaneEpoch lane) {
        WindowOrder permuted = null;
        int window = -1;
        for (int place = 0; place < perLane; place++) {
            long position = step * perLane + place;
            long at = position % lane.rows();
            if (lane.windowAt(at) != window) {
                window = lane.windowAt(at);
                permuted = lane.windows().get(window).permute();
            }
            Window current = lane.windows().get(window);
            int i = (int) (at - current.firstPosition());
            int group = current.slices().get(permuted.slice(i)).rowGroup();
            int index = lane.lane() * perLane + place;
            samples[index] = order.firstSample(group) + permuted.rowInGroup(i);
            padding[index] = position >= lane.rows();
        }
    }

    public long epoch() {
        return epoch;
    }

    public long step() {
        return step;
    }

    public long sample(int lane, int place) {
        return samples[lane * perLane + place];
    }

    /** Whether the place only fills up the step. */
    public boolean isPadding(int lane, int place) {
        return padding[lane * perLane + place];
    }
}
