package io.lockstep.materialize;

/**
 * Steps of a lane that were gathered from a row group whose stored bytes changed while it was
 * pinned. Some of their rows may be wrong; it is unknown which.
 *
 * @param from the first of these steps
 * @param to the last of these steps, inclusive
 * @param cause names the damaged file
 */
public record DamagedSteps(int lane, long epoch, long from, long to, String cause) {}
