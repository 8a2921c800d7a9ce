package io.lockstep.order;

/**
 * A range of consecutive places in a lane's step that is filled from one window, in the window's
 * order.
 *
 * @param window the window's index in {@link LaneEpoch#windows}
 * @param from the first place within the window
 * @param count the number of places
 * @param padding whether the places are padding
 */
public record Stretch(int window, int from, int count, boolean padding) {}
