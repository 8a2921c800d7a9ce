package io.lockstep.order;

/**
 * A range of rows of one row group that belongs to one lane.
 *
 * @param rowGroup the row group's index in canonical order
 * @param begin the first row within the row group
 * @param end the row after the last one
 */
public record Slice(int rowGroup, long begin, long end) {

    public long rows() {
        return end - begin;
    }

    /** Returns whether a row of a row group is in this range. */
    public boolean holds(int group, long row) {
        return rowGroup == group && begin <= row && row < end;
    }
}
