package io.lockstep.source.feedback;

/** A message from a sink to the source reader that it is chained to: wanted steps or a question. */
public sealed interface ToReader permits Wants, TrainerAsked {}
