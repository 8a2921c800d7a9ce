package io.lockstep.source.event;

import org.apache.flink.api.connector.source.SourceEvent;

/** Enumerator to reader: trainers of earlier generations are fenced. */
public record GenerationStarted(long generation) implements SourceEvent {}
