package io.lockstep.order;

/**
 * A range of rows of one row group that belongs to one lane.
 *
 * @param rowGroup its number in canonical order
 * @param begin the first row within the row group
 * @param end past the last row
 */
public record Slice(int rowGroup, long begin, long end) {

    public long rows() {
        return end - begin;
    }

    /** Whether a row of a row group is in this range. */
    public boolean holds(int group, long row) {
        return rowGroup == group && begin <= row && row < end;
    }
}
