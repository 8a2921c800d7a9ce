package io.lockstep.materialize;

/**
 * Steps of a lane that were gathered from a row group whose stored bytes changed while it was
 * pinned. Some of their rows may be wrong; which of them can't be told.
 *
 * @param from the first of these steps
 * @param to the last of these steps
 * @param cause names the damaged file
 */
public record DamagedSteps(int lane, long epoch, long from, long to, String cause) {}
