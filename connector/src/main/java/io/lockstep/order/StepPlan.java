package io.lockstep.order;

import java.util.Arrays;

/** The samples of one step, for all lanes. Immutable once published. */
public final class StepPlan {

    private final Order order;
    private final long epoch;
    private final long step;
    private final int perLane;

    // One entry per place, lane by lane.
    private final int[] rowGroups;
    private final int[] rows;
    private final boolean[] padding;

    StepPlan(Order order, long epoch, long step) {
        this.order = order;
        this.epoch = epoch;
        this.step = step;
        this.perLane = order.settings().perLane();
        int places = order.settings().batch();
        this.rowGroups = new int[places];
        this.rows = new int[places];
        this.padding = new boolean[places];
    }

    /** Fills places of a lane, starting at {@code place}, with a stretch of a window's rows. */
    void fill(int lane, int place, Window window, WindowOrder permuted, Stretch stretch) {
        int begin = index(lane, place);
        int count = stretch.count();
        permuted.read(stretch.from(), count, rowGroups, rows, begin);
        for (int i = begin; i < begin + count; i++) {
            rowGroups[i] = window.slices().get(rowGroups[i]).rowGroup();
        }
        Arrays.fill(padding, begin, begin + count, stretch.padding());
    }

    public long epoch() {
        return epoch;
    }

    public long step() {
        return step;
    }

    public long sample(int lane, int place) {
        return order.firstSample(rowGroup(lane, place)) + row(lane, place);
    }

    /** Returns the row group, in canonical order, that contains the sample. */
    public int rowGroup(int lane, int place) {
        return rowGroups[index(lane, place)];
    }

    /** Returns the sample's row within its row group. */
    public int row(int lane, int place) {
        return rows[index(lane, place)];
    }

    /** Returns whether the place is padding. */
    public boolean isPadding(int lane, int place) {
        return padding[index(lane, place)];
    }

    private int index(int lane, int place) {
        return lane * perLane + place;
    }
}
