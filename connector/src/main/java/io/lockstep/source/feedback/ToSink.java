package io.lockstep.source.feedback;

/**
 * What a source reader sends down to the sink behind it. All but the answers are state: the newest
 * message of each kind holds until the next.
 */
public sealed interface ToSink
        permits BindHost, Assignment, GenerationStarted, TrainerAnswered, RunDone {}
