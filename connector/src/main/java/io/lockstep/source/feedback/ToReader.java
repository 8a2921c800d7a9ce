package io.lockstep.source.feedback;

/** What a sink sends up to the source reader before it: wanted steps, and questions. */
public sealed interface ToReader permits Wants, TrainerAsked {}
