package io.lockstep.order;

/**
 * Consecutive places of a lane's step that one window fills, in the window's order.
 *
 * @param window its number among {@link LaneEpoch#windows}
 * @param from the place within the window of the first
 * @param count how many there are
 * @param padding whether they only fill up the step
 */
public record Stretch(int window, int from, int count, boolean padding) {}
