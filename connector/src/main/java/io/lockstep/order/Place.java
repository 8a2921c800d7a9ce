package io.lockstep.order;

/**
 * Where a sample stands in an epoch.
 *
 * @param rowGroup its row group, in canonical order
 * @param row within the row group
 * @param step -1 where the tail was dropped
 * @param place within the lane's part of the step
 */
public record Place(long sample, int rowGroup, long row, int lane, long step, int place) {

    public boolean dropped() {
        return step < 0;
    }
}
