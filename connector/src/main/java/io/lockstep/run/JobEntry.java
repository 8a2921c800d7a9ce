package io.lockstep.run;

/**
 * Which Flink job serves the run: {@code job.json}.
 *
 * @param job its id
 */
public record JobEntry(String job) {}
