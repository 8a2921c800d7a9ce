package io.lockstep.order;

/**
 * The place of a sample in an epoch.
 *
 * @param rowGroup the row group, in canonical order
 * @param row the row within the row group
 * @param step the step, -1 if the sample is in a dropped tail
 * @param place the index within the lane's part of the step
 */
public record Place(long sample, int rowGroup, long row, int lane, long step, int place) {

    public boolean dropped() {
        return step < 0;
    }
}
