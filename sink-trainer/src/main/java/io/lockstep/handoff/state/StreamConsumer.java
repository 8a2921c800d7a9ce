package io.lockstep.handoff.state;

/** A rank of one generation of trainers, as the consumer of one stream. */
public record StreamConsumer(long generation, int rank, String stream) {}
