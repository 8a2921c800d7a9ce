package io.lockstep.run;

import org.apache.flink.annotation.Internal;

/**
 * One launch of trainers: {@code trainers/launches/GENERATION.json}, written once. It preserves the
 * number of the newest generation if {@code trainers/generation.json} is damaged.
 *
 * @param generation counts the launches of a run from 1
 * @param job the Flink job that it registered with
 * @param launch the id of the launch, which all its ranks share
 * @param world the number of ranks
 */
@Internal
public record LaunchEntry(long generation, String job, String launch, int world) {}
