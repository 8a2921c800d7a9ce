package io.lockstep.source.feedback;

import org.apache.flink.api.connector.source.SourceEvent;

/** Enumerator to reader to sink: trainers of earlier generations are fenced. */
public record GenerationStarted(long generation) implements SourceEvent, ToSink {}
