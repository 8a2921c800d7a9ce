package io.lockstep.run;

import org.apache.flink.annotation.Internal;

/**
 * One launch of trainers: {@code trainers/launches/GENERATION.json}, written once. With it the
 * number of the newest generation survives damage to {@code trainers/generation.json}.
 *
 * @param generation counts the launches of a run from 1
 * @param job the Flink job that it registered with
 * @param launch the launch's name, the same for all its ranks
 * @param world the number of ranks
 */
@Internal
public record LaunchEntry(long generation, String job, String launch, int world) {}
