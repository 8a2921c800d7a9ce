package io.lockstep.source.feedback;

/**
 * A message from a source reader to the sink chained to it. All kinds but answers are state: the
 * newest message of a kind is valid until the next.
 */
public sealed interface ToSink
        permits BindHost, Assignment, GenerationStarted, TrainerAnswered, RunDone {}
